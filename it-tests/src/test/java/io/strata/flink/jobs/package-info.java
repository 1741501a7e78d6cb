/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Whole jobs on a MiniCluster: one job with every kind of keyed state, timer and window, run
 * through checkpoints, savepoints, failures, rescales and Flink's options, and its results compared
 * with those that {@link io.strata.flink.jobs.ExpectedResults} works out without Flink.
 *
 * <p>How the results show exactly-once: the job's output is what its state holds when the events
 * end, and each window's result goes into state first. A record lost or counted twice, a timer lost
 * or fired twice changes a line. No sink with transactions is needed, since a line that is emitted
 * again after a failure is the same line.
 *
 * <p>The situations of Flink's own integration tests for {@code rocksdb}, and the tests here that
 * put Strata into them:
 *
 * <table>
 *   <caption>Situation and test</caption>
 *   <tr><td>keyed state through checkpoint and failure
 *       <td>{@link io.strata.flink.jobs.NativeSavepointTest}, and every test here
 *   <tr><td>timers in savepoints
 *       <td>{@link io.strata.flink.jobs.NativeSavepointTest},
 *           {@link io.strata.flink.jobs.CanonicalSavepointTest}
 *   <tr><td>event-time windows, with key groups of two bytes
 *       <td>{@link io.strata.flink.jobs.CheckpointOptionsTest}
 *   <tr><td>formats of savepoints
 *       <td>{@link io.strata.flink.jobs.NativeSavepointTest},
 *           {@link io.strata.flink.jobs.CanonicalSavepointTest}
 *   <tr><td>resuming from externalized checkpoints, each incremental to the one before
 *       <td>{@link io.strata.flink.jobs.ClaimModeTest}
 *   <tr><td>checkpoints that are aborted
 *       <td>{@link io.strata.flink.jobs.CheckpointUnderPressureTest}
 *   <tr><td>state handles used again after failures
 *       <td>{@link io.strata.flink.jobs.CheckpointUnderPressureTest},
 *           {@link io.strata.flink.jobs.LocalRecoveryTest}
 *   <tr><td>rescaling of unaligned checkpoints
 *       <td>{@link io.strata.flink.jobs.CheckpointUnderPressureTest}
 *   <tr><td>rescaling under load
 *       <td>{@link io.strata.flink.jobs.RescaleTest},
 *           {@link io.strata.flink.jobs.AdaptiveSchedulerTest}
 *   <tr><td>changelog, switched on and off
 *       <td>{@link io.strata.flink.jobs.ChangelogTest}
 * </table>
 */
package io.strata.flink.jobs;
