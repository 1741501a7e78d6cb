/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.compaction.MergeCursor;
import io.strata.flink.compaction.RunMerge;
import io.strata.flink.compaction.ValueConverters;
import io.strata.flink.compaction.ValueRules;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentMemory;
import io.strata.flink.segment.SegmentOptions;
import io.strata.flink.segment.SegmentWriter;
import io.strata.flink.segment.StreamingPageSource;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Sorted parts of one key group that did not fit into memory, each a temporary segment.
 *
 * <p>As soon as {@value #FAN_IN} of a level are there, they are merged into one of the next level:
 * so few files are open at a time, and a record is rewritten once a level.
 */
final class SpilledRuns implements Closeable {

    /** Parts merged at a time. Each takes a read-ahead buffer of 128 KiB then: 2 MiB together. */
    static final int FAN_IN = 16;

    private static final byte NOTHING_IS_JOINED = 0;

    private final StorageDirectory directory;
    private final SegmentOptions options;
    private final BooleanSupplier cancelled;
    private final List<List<Segment>> levels = new ArrayList<>();

    /**
     * Creates the empty set.
     *
     * @param cancelled asked now and then, by the thread that merges
     */
    SpilledRuns(StorageDirectory directory, SegmentOptions options, BooleanSupplier cancelled) {
        this.directory = directory;
        // Nobody looks for a key in these files.
        this.options = new SegmentOptions(options.pageBytes(), 1);
        this.cancelled = cancelled;
    }

    boolean isEmpty() {
        return levels.isEmpty();
    }

    /** Begins a part; {@link #add} takes it over when it is complete. */
    OneRunSegment begin(RunSpec spec) throws IOException {
        return OneRunSegment.begin(directory, SegmentMemory.HEAP, options, spec);
    }

    /**
     * Takes over one reference to a part.
     *
     * @param timestamps reads the timestamps of the values
     */
    void add(Segment part, Expiry timestamps) throws IOException {
        addTo(0, part);
        for (int level = 0; level < levels.size(); level++) {
            List<Segment> parts = levels.get(level);
            if (parts.size() == FAN_IN) {
                addTo(level + 1, merged(parts, timestamps));
                releaseAll(parts);
            }
        }
    }

    /**
     * Merges all parts into a run that has begun, and forgets them.
     *
     * @param timestamps reads the timestamps of the values
     * @return the number of records written
     */
    long drainTo(SegmentWriter target, Expiry timestamps) throws IOException {
        List<Segment> parts = levels.stream().flatMap(List::stream).toList();
        long records = merge(parts, target, timestamps);
        close();
        return records;
    }

    private Segment merged(List<Segment> parts, Expiry timestamps) throws IOException {
        try (OneRunSegment output = begin(parts.get(0).runs().get(0).spec())) {
            merge(parts, output.records(), timestamps);
            return output.finish();
        }
    }

    private long merge(List<Segment> parts, SegmentWriter target, Expiry timestamps)
            throws IOException {
        List<RunView> views =
                parts.stream()
                        .map(part -> new RunView(part.runs().get(0), KeyGroupSpan.ALL))
                        .toList();
        // All parts come from one file.
        long schemaId = views.get(0).run().spec().schemaId();
        MergeCursor cursor =
                MergeCursor.scan(
                        views,
                        KeyGroupSpan.ALL,
                        NOTHING_IS_JOINED,
                        new ValueConverters(ValueRules.sameSchema(schemaId)),
                        StreamingPageSource::of);
        return new RunMerge(false, timestamps, cancelled::getAsBoolean).drain(cursor, target);
    }

    private void addTo(int level, Segment part) {
        if (level == levels.size()) {
            levels.add(new ArrayList<>());
        }
        levels.get(level).add(part);
    }

    private static void releaseAll(List<Segment> parts) {
        // Forgotten first, so that none is released twice when releasing one fails.
        List<Segment> all = List.copyOf(parts);
        parts.clear();
        Segment.releaseAll(all);
    }

    /** Deletes the parts that are still there. */
    @Override
    public void close() {
        List<Segment> all = levels.stream().flatMap(List::stream).toList();
        levels.clear();
        Segment.releaseAll(all);
    }
}
