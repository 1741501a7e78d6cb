/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The store: both tiers of one keyed backend behind one table per state.
 *
 * <p>A {@link io.strata.flink.engine.TieredStore} belongs to one task thread (I2). Its tables
 * answer from the hot tier, and on a miss from their runs. Sealing an epoch hands the dirty entries
 * to a {@code FlushJob}; its segment comes back to the task thread, which installs it. Compactions
 * come back the same way. A {@link io.strata.flink.engine.StoreSnapshot} is the runs of a moment
 * plus the flushes under way.
 */
package io.strata.flink.engine;
