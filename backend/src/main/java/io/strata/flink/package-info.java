/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What the user and Flink meet first: the factory, the backend, its options and the keyed state
 * backend of one task.
 *
 * <p>{@link io.strata.flink.StrataStateBackend} holds settings; {@link
 * io.strata.flink.StrataSettings} validates {@link io.strata.flink.StrataOptions}.
 */
package io.strata.flink;
