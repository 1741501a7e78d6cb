/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The model test of the whole backend: seeded random operations on a keyed job, compared one by one
 * with the same operations on Flink's own heap backend.
 *
 * <p>A {@link io.strata.flink.model.Scenario} draws everything from one seed: the backend's
 * options, the states, keys and parallelism. {@link io.strata.flink.model.OperationGenerator} draws
 * the list of {@link io.strata.flink.model.Operation}s. {@link io.strata.flink.model.ModelRun}
 * applies the list to two {@link io.strata.flink.model.KeyedJob}s, the subject and the model, and
 * stops at the first operation that shows them different; {@link io.strata.flink.model.Shrinker}
 * then looks for a shorter list that still fails. Operations never depend on what earlier ones
 * returned, so any part of a list is a legal list.
 *
 * <p>The checkpoint half plays the JobManager ({@link io.strata.flink.model.Checkpoints}) over
 * streams that remember what was discarded ({@link io.strata.flink.model.StrictStreams}): reading a
 * discarded file fails, and so does a file that nobody discards.
 *
 * <p>The idea of one list of operations under many configurations is that of Pebble's metamorphic
 * tests.
 */
package io.strata.flink.model;
