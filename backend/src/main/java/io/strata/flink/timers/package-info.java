/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Priority queues of timers on the heap, kept by Flink's own queue, and the file that holds them in
 * a checkpoint ({@link io.strata.flink.timers.TimerSnapshotFormat}).
 */
package io.strata.flink.timers;
