/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.engine.RestoredRuns;
import io.strata.flink.engine.StoreManifest;
import io.strata.flink.engine.StoreManifest.RunRef;
import io.strata.flink.engine.StoreManifest.SegmentEntry;
import io.strata.flink.engine.StoreManifest.StateRuns;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentWriter;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.util.IOUtils;

/**
 * The runs that an import makes: one a state, over all files, each in a segment of its own, since
 * files bring the states of one key group after those of another. Belongs to one thread.
 */
final class ImportedRuns implements Closeable {

    private final ImportRequest.Target target;
    private final Map<String, OneRunSegment> writing = new LinkedHashMap<>();
    private final Map<String, RunSpec> specs = new LinkedHashMap<>();
    private final List<Segment> finished = new ArrayList<>();

    ImportedRuns(ImportRequest.Target target) {
        this.target = target;
    }

    /** Returns where the records of a state go, key groups ascending. */
    SegmentWriter of(RunSpec spec) throws IOException {
        // Files of one savepoint differ at most in what their tasks knew of subclasses.
        RunSpec before = specs.putIfAbsent(spec.stateName(), spec);
        if (before != null && before.grouped() != spec.grouped()) {
            throw new IOException(
                    "State '%s' is a map in one file of the savepoint and not in another."
                            .formatted(spec.stateName()));
        }
        OneRunSegment segment = writing.get(spec.stateName());
        if (segment == null) {
            segment =
                    OneRunSegment.begin(
                            target.directory(), target.memory(), target.options(), spec);
            writing.put(spec.stateName(), segment);
        }
        return segment.records();
    }

    /** Completes all runs; one reference to each segment passes to the caller. */
    RestoredRuns finish(KeyGroupSpan owned) throws IOException {
        List<SegmentEntry> entries = new ArrayList<>();
        List<StateRuns> states = new ArrayList<>();
        for (Map.Entry<String, OneRunSegment> state : writing.entrySet()) {
            Segment segment = state.getValue().finish();
            finished.add(segment);
            RunRef run = new RunRef(entries.size(), 0, owned.first(), owned.last());
            entries.add(new SegmentEntry(segment.id(), segment.fileBytes()));
            states.add(new StateRuns(state.getKey(), List.of(run)));
        }
        RestoredRuns runs =
                new RestoredRuns(new StoreManifest(entries, states), List.copyOf(finished), owned);
        finished.clear();
        return runs;
    }

    /** Deletes what was not handed out. */
    @Override
    public void close() throws IOException {
        List<Closeable> all = new ArrayList<>(writing.values());
        List<Segment> released = List.copyOf(finished);
        all.add(() -> Segment.releaseAll(released));
        writing.clear();
        finished.clear();
        try {
            IOUtils.closeAll(all);
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("cannot delete what an import has written", e);
        }
    }
}
