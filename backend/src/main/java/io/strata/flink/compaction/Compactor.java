/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentOptions;
import io.strata.flink.segment.SegmentWriter;
import io.strata.flink.segment.StreamingPageSource;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Merges runs into a segment of their own.
 *
 * <p>Immutable; any thread may call {@link #compact}, several at once. It reads past the page
 * cache, through one read-ahead buffer a run.
 */
public final class Compactor {

    private final StorageDirectory directory;
    private final SegmentOptions options;
    private final byte appendDelimiter;

    /**
     * Creates a compactor.
     *
     * @param directory where the merged segments are written
     * @param appendDelimiter the byte between two joined values
     */
    public Compactor(StorageDirectory directory, SegmentOptions options, byte appendDelimiter) {
        this.directory = directory;
        this.options = options;
        this.appendDelimiter = appendDelimiter;
    }

    /**
     * Merges runs into one. The caller has the segments of the runs retained when it calls; from
     * then on they are retained here until it returns.
     *
     * @param newestFirst runs of one state, neighbours in age
     * @param bottom true when no older run can hold a key of these
     * @param rules what the values mean; the output is written in their schema, and inputs of other
     *     schemas are converted
     * @param output the identity of the segment to write
     * @param cancelled asked now and then, by the calling thread
     * @return the open segment with its one run and one reference, which is the caller's; empty
     *     when nothing is left
     * @throws IOException also if an input has a schema that the rules cannot convert
     * @throws java.util.concurrent.CancellationException when cancelled; like any other failure it
     *     leaves neither file nor reference behind
     */
    public Optional<Segment> compact(
            List<RunView> newestFirst,
            boolean bottom,
            ValueRules rules,
            SegmentId output,
            BooleanSupplier cancelled)
            throws IOException {
        RunSpec spec = outputSpec(newestFirst, rules);
        Optional<Segment> merged = Optional.empty();
        try (Retained inputs = new Retained(newestFirst)) {
            if (write(inputs.views(), spec, bottom, rules, output, cancelled)) {
                merged = Optional.of(openOrDelete(output));
            }
        } catch (RuntimeException e) {
            merged.ifPresent(Segment::release);
            throw e;
        }
        return merged;
    }

    /** Returns false, and leaves no file, when no record is left. */
    private boolean write(
            List<RunView> newestFirst,
            RunSpec spec,
            boolean bottom,
            ValueRules rules,
            SegmentId output,
            BooleanSupplier cancelled)
            throws IOException {
        ValueConverters converters = new ValueConverters(rules);
        for (RunView view : newestFirst) {
            // fails before anything is written when a schema cannot be read
            converters.from(view.run().spec().schemaId());
        }
        MergeCursor source =
                MergeCursor.scan(
                        newestFirst,
                        KeyGroupSpan.ALL,
                        appendDelimiter,
                        converters,
                        StreamingPageSource::new);
        try (SegmentWriter target = SegmentWriter.create(directory, output, options)) {
            target.beginRun(spec);
            long written = new RunMerge(bottom, rules.expiry(), cancelled).drain(source, target);
            target.endRun();
            if (written > 0) {
                target.finish();
            }
            return written > 0;
        }
    }

    private Segment openOrDelete(SegmentId output) throws IOException {
        try {
            return Segment.open(directory, output, KeyGroupSpan.ALL);
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

        private final List<RunView> views;

        Retained(List<RunView> views) {
            this.views = List.copyOf(views);
            views.forEach(view -> view.run().segment().retain());
        }

        List<RunView> views() {
            return views;
        }

        /** Releases all, whatever some of them throw. */
        @Override
        public void close() {
            RuntimeException failure = null;
            for (RunView view : views) {
                try {
                    view.run().segment().release();
                } catch (RuntimeException e) {
                    if (failure == null) {
                        failure = e;
                    } else {
                        failure.addSuppressed(e);
                    }
                }
            }
            if (failure != null) {
                throw failure;
            }
        }
    }
}
