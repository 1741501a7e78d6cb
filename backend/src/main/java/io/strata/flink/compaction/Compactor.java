/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.segment.Run;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentMemory;
import io.strata.flink.segment.SegmentOptions;
import io.strata.flink.segment.SegmentWriter;
import io.strata.flink.segment.StreamingPageSource;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Merges runs, and writes what merges make into a segment of its own.
 *
 * <p>Immutable; any thread may call {@link #compact}, several at once. It reads past the page
 * cache, through one read-ahead buffer a run.
 */
public final class Compactor {

    private final StorageDirectory directory;
    private final SegmentOptions options;
    private final byte appendDelimiter;
    private final SegmentMemory memory;

    /**
     * Creates a compactor.
     *
     * @param directory where the merged segments are written
     * @param appendDelimiter the byte between two joined values
     * @param memory gets indexes and filters of the merged segments
     */
    public Compactor(
            StorageDirectory directory,
            SegmentOptions options,
            byte appendDelimiter,
            SegmentMemory memory) {
        this.directory = directory;
        this.options = options;
        this.appendDelimiter = appendDelimiter;
        this.memory = memory;
    }

    /**
     * Makes a run of each merge, all in one segment. The caller has the segments of the inputs
     * retained when it calls; from then on they are retained here until it returns.
     *
     * @param merges at least one
     * @param output the identity of the segment to write
     * @param watch hears of what is read and written, in the calling thread
     * @throws IOException also if an input has a schema that the rules cannot convert
     * @throws java.util.concurrent.CancellationException when cancelled; like any other failure it
     *     leaves neither file nor reference behind
     */
    public MergedRuns compact(List<Merge> merges, SegmentId output, MergeWatch watch)
            throws IOException {
        Optional<Segment> merged = Optional.empty();
        try (Retained inputs = new Retained(merges);
                Closeable expected = memory.expectFilters(filterBytes(merges))) {
            BitSet left = write(inputs.merges(), output, watch);
            if (!left.isEmpty()) {
                merged = Optional.of(openOrDelete(output));
            }
            return result(merges.size(), left, merged);
        } catch (RuntimeException e) {
            merged.ifPresent(Segment::release);
            throw e;
        }
    }

    private static long filterBytes(List<Merge> merges) {
        return merges.stream()
                .flatMap(merge -> merge.newestFirst().stream())
                .mapToLong(view -> view.run().filterBytes())
                .sum();
    }

    private static MergedRuns result(int merges, BitSet left, Optional<Segment> segment) {
        List<Optional<Run>> runs = new ArrayList<>(merges);
        int ordinal = 0;
        for (int i = 0; i < merges; i++) {
            runs.add(
                    left.get(i)
                            ? Optional.of(segment.orElseThrow().runs().get(ordinal++))
                            : Optional.empty());
        }
        return new MergedRuns(segment, runs);
    }

    /** Returns which merges left any record; leaves no file when none did. */
    private BitSet write(List<Merge> merges, SegmentId output, MergeWatch watch)
            throws IOException {
        List<RunSpec> specs = new ArrayList<>(merges.size());
        List<ValueConverters> converters = new ArrayList<>(merges.size());
        for (Merge merge : merges) {
            // fails before anything is written when runs do not fit or a schema cannot be read
            specs.add(outputSpec(merge.newestFirst(), merge.rules()));
            converters.add(convertersFor(merge));
        }
        BitSet left = new BitSet();
        try (SegmentWriter target = SegmentWriter.create(directory, output, options)) {
            for (int i = 0; i < merges.size(); i++) {
                Merge merge = merges.get(i);
                MergeCursor source =
                        MergeCursor.scan(
                                merge.newestFirst(),
                                KeyGroupSpan.ALL,
                                appendDelimiter,
                                converters.get(i),
                                view -> StreamingPageSource.of(view, watch::passed));
                target.beginRun(specs.get(i));
                RunMerge run = new RunMerge(merge.bottom(), merge.rules().expiry(), watch);
                left.set(i, run.drain(source, target) > 0);
                target.endRun();
            }
            if (!left.isEmpty()) {
                target.finish();
            }
        }
        return left;
    }

    private static ValueConverters convertersFor(Merge merge) throws IOException {
        ValueConverters converters = new ValueConverters(merge.rules());
        for (RunView view : merge.newestFirst()) {
            converters.from(view.run().spec().schemaId());
        }
        return converters;
    }

    private Segment openOrDelete(SegmentId output) throws IOException {
        try {
            return Segment.open(directory, output, KeyGroupSpan.ALL, memory);
        } catch (IOException | RuntimeException e) {
            try {
                directory.delete(output.fileName());
            } catch (IOException deletion) {
                e.addSuppressed(deletion);
            }
            throw e;
        }
    }

    private static RunSpec outputSpec(List<RunView> newestFirst, ValueRules rules) {
        if (newestFirst.isEmpty()) {
            throw new IllegalArgumentException("no runs to merge");
        }
        RunSpec first = newestFirst.get(0).run().spec();
        for (RunView view : newestFirst) {
            RunSpec spec = view.run().spec();
            if (!spec.stateName().equals(first.stateName()) || spec.grouped() != first.grouped()) {
                throw new IllegalArgumentException(
                        "runs of %s and of %s do not merge".formatted(first, spec));
            }
        }
        return new RunSpec(first.stateName(), first.grouped(), rules.schemaId());
    }

    /** One reference to the segment of each run, for as long as the merge reads them. */
    private static final class Retained implements AutoCloseable {

        private final List<Merge> merges;
        private final List<RunView> views = new ArrayList<>();

        Retained(List<Merge> merges) {
            this.merges = List.copyOf(merges);
            merges.forEach(merge -> views.addAll(merge.newestFirst()));
            views.forEach(view -> view.run().segment().retain());
        }

        List<Merge> merges() {
            return merges;
        }

        /** Releases all, whatever some of them throw. */
        @Override
        public void close() {
            Segment.releaseAll(views.stream().map(view -> view.run().segment()).toList());
        }
    }
}
