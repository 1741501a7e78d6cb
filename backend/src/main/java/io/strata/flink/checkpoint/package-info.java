/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Checkpoints and restores of a keyed backend.
 *
 * <h2>What a checkpoint is</h2>
 *
 * <p>One {@link org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle}, the kind of
 * handle that Flink's own metadata knows, with
 *
 * <ul>
 *   <li>one metadata file, {@link io.strata.flink.checkpoint.files.SnapshotMetadataFormat}: Flink's
 *       meta info of all states, the runs, what was uploaded of every segment, and the schemas of
 *       values;
 *   <li>one shared file for every segment. Its local path is {@code <index>-<name of the segment>},
 *       the index being its position in the metadata: after a rescale a checkpoint may hold
 *       different parts of one segment in two files;
 *   <li>one private file with the timers, {@link io.strata.flink.timers.TimerSnapshotFormat}, if
 *       there are any.
 * </ul>
 *
 * <h2>The way of a checkpoint</h2>
 *
 * <p>On the task thread, {@link io.strata.flink.checkpoint.snapshot.StrataSnapshotStrategy} seals
 * the store, copies timers and meta info, and asks {@link
 * io.strata.flink.checkpoint.snapshot.UploadedSegments} which remote files may be referred to. On a
 * snapshot thread, {@link io.strata.flink.checkpoint.snapshot.SnapshotOperation} waits for the
 * flush, uploads the other segments ({@link io.strata.flink.checkpoint.transfer.SegmentUploader})
 * and writes the metadata. When anything fails, {@link
 * io.strata.flink.checkpoint.transfer.CheckpointTarget} takes back what was written.
 *
 * <h2>The way of a restore</h2>
 *
 * <p>{@link io.strata.flink.checkpoint.restore.RestoreOperation} reads the metadata of every
 * handle, then {@link io.strata.flink.checkpoint.transfer.SegmentFetcher} brings the segments,
 * several at a time: {@link io.strata.flink.checkpoint.transfer.SegmentDownloader} fetches the byte
 * ranges of the key groups that the task owns. No record is rewritten. The remote files are
 * remembered, so that the next checkpoint refers to them.
 *
 * <h2>Task-local copies</h2>
 *
 * <p>With Flink's local recovery, {@link io.strata.flink.checkpoint.snapshot.LocalCopies} makes a
 * directory for every checkpoint: hard links to the segments under the names that the handle has
 * for them, the timers and the metadata. Its handle is an {@link
 * org.apache.flink.runtime.state.IncrementalLocalKeyedStateHandle}; Flink deletes the directory
 * when the checkpoint is subsumed, and restores from the checkpoint itself when the copy fails.
 */
package io.strata.flink.checkpoint;
