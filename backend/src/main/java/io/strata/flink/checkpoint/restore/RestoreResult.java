/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.restore;

import io.strata.flink.checkpoint.files.RestoredFiles;
import io.strata.flink.engine.RestoredRuns;
import io.strata.flink.schema.SavedSchemas;
import io.strata.flink.segment.Segment;
import io.strata.flink.ttl.EventTime;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/**
 * What a restore brought.
 *
 * @param states Flink's meta info of every keyed state, each once
 * @param schemas the schemas of every keyed state, by its name
 * @param runs the runs of every handle, with one reference to each segment, for the store to take
 * @param files the remote files behind them
 * @param eventTime how far event time is, the least of all handles
 */
public record RestoreResult(
        List<StateMetaInfoSnapshot> states,
        Map<String, SavedSchemas> schemas,
        List<RestoredRuns> runs,
        RestoredFiles files,
        EventTime eventTime) {

    public RestoreResult {
        states = List.copyOf(states);
        schemas = Map.copyOf(schemas);
        runs = List.copyOf(runs);
    }

    /** Gives all segments back, when the store cannot be made that should have taken them. */
    public void release() {
        Segment.releaseAll(runs.stream().flatMap(run -> run.segments().stream()).toList());
    }
}
