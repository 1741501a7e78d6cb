/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Merging the runs of one state into fewer runs.
 *
 * <p>In the order of the work: {@link io.strata.flink.compaction.CompactionPolicy} says from sizes
 * alone which neighbours in age to merge; {@link io.strata.flink.compaction.MergeCursor} shows
 * several runs as if they were one; {@link io.strata.flink.compaction.RunMerge} writes what a
 * cursor shows; {@link io.strata.flink.compaction.Compactor} makes an open segment of it, or leaves
 * no trace.
 *
 * <p>Runs may have been written in different schemas. {@link io.strata.flink.compaction.ValueRules}
 * say which one is the present, and give a {@link io.strata.flink.compaction.ValueConverter} from
 * any other; the cursor converts on its input side, so that nobody behind it knows of schemas.
 *
 * <p>Nothing here knows which runs a table has or when they change: the engine asks for a plan, has
 * it carried out on a background thread, and installs the result.
 */
package io.strata.flink.compaction;
