/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Event time as the clock of state with a time to live.
 *
 * <p>The job tells how far event time is; nothing else moves the clock, so that replaying the same
 * events expires the same state. What was written before the job first told it counts as written
 * when it first did.
 */
package io.strata.flink.ttl;
