/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.engine.SegmentIds;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentMemory;
import io.strata.flink.segment.SegmentOptions;
import io.strata.flink.segment.SegmentWriter;
import java.io.Closeable;
import java.io.IOException;

/** A segment in the making that holds one run. Belongs to one thread. */
final class OneRunSegment implements Closeable {

    private final StorageDirectory directory;
    private final SegmentMemory memory;
    private final SegmentId id;
    private final SegmentWriter writer;

    private OneRunSegment(
            StorageDirectory directory, SegmentMemory memory, SegmentId id, SegmentWriter writer) {
        this.directory = directory;
        this.memory = memory;
        this.id = id;
        this.writer = writer;
    }

    /** Creates the file and begins the run. */
    static OneRunSegment begin(
            StorageDirectory directory, SegmentMemory memory, SegmentOptions options, RunSpec spec)
            throws IOException {
        SegmentId id = SegmentIds.next();
        SegmentWriter writer = SegmentWriter.create(directory, id, options);
        try {
            writer.beginRun(spec);
        } catch (IOException | RuntimeException e) {
            closeAfter(e, writer);
            throw e;
        }
        return new OneRunSegment(directory, memory, id, writer);
    }

    /** Returns where the records go. */
    SegmentWriter records() {
        return writer;
    }

    /** Completes the run and the file and opens it; the reference is the caller's. */
    Segment finish() throws IOException {
        writer.endRun();
        writer.finish();
        try {
            return Segment.open(directory, id, KeyGroupSpan.ALL, memory);
        } catch (IOException | RuntimeException e) {
            try {
                directory.delete(id.fileName());
            } catch (IOException deletion) {
                e.addSuppressed(deletion);
            }
            throw e;
        }
    }

    /** Deletes the file unless it was finished. */
    @Override
    public void close() throws IOException {
        writer.close();
    }

    private static void closeAfter(Exception failure, SegmentWriter writer) {
        try {
            writer.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }
}
