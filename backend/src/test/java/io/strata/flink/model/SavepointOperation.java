/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.checkpoint.SavepointType;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.CheckpointStorageLocationReference;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SavepointResources;
import org.apache.flink.runtime.state.SavepointSnapshotStrategy;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.SnapshotStrategyRunner;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;

/**
 * Takes a canonical savepoint of the subject, and reads all of it with the heap backend at some
 * parallelism; then takes one there, and reads it with Strata. The model reads itself.
 */
record SavepointOperation(int parallelism) implements Operation {

    private static final int MAX_BYTES = 64 << 20;

    /** In the contents of a map; hashmap fails to take a canonical savepoint of one. */
    private static final String NULL_VALUE = "=null";

    @Override
    public String apply(KeyedJob job) throws Exception {
        List<KeyedStateHandle> savepoint = take(job);
        try (KeyedJob reader = job.movedTo(new HashMapUnderTest(), savepoint, parallelism)) {
            String there = contents(reader);
            String back = there.contains(NULL_VALUE) ? there : contentsAfterReturn(reader);
            return back.equals(there) ? there : "on hashmap " + there + ", back on strata " + back;
        }
    }

    /** Moves the job from hashmap to Strata, by a savepoint of the former. */
    private String contentsAfterReturn(KeyedJob onHashMap) throws Exception {
        List<KeyedStateHandle> savepoint = take(onHashMap);
        try (KeyedJob reader = onHashMap.movedTo(new StrataUnderTest(), savepoint, 1)) {
            return contents(reader);
        }
    }

    private static List<KeyedStateHandle> take(KeyedJob job) throws Exception {
        List<RunnableFuture<SnapshotResult<KeyedStateHandle>>> parts = new ArrayList<>();
        for (JobInstance instance : job.instances()) {
            instance.endRecord();
            parts.add(begin(instance.backend()));
        }
        List<KeyedStateHandle> handles = new ArrayList<>();
        for (RunnableFuture<SnapshotResult<KeyedStateHandle>> part : parts) {
            ModelThreads.ASYNCHRONOUS.execute(part);
            KeyedStateHandle handle = part.get().getJobManagerOwnedSnapshot();
            if (handle != null) {
                handles.add(handle);
            }
        }
        return handles;
    }

    @Override
    public String replay(KeyedJob model, Object subjectOutcome) throws Exception {
        return contents(model);
    }

    private static String contents(KeyedJob job) throws Exception {
        List<String> timers = new ArrayList<>();
        for (JobInstance instance : job.instances()) {
            try (var iterator = instance.timers().iterator()) {
                while (iterator.hasNext()) {
                    timers.add(iterator.next().toString());
                }
            }
        }
        timers.sort(null);
        return job.scan() + timers;
    }

    private static <K> RunnableFuture<SnapshotResult<KeyedStateHandle>> begin(
            AbstractKeyedStateBackend<K> backend) throws Exception {
        SavepointResources<K> savepoint = backend.savepoint();
        return new SnapshotStrategyRunner<>(
                        "savepoint",
                        new SavepointSnapshotStrategy<>(savepoint.getSnapshotResources()),
                        new CloseableRegistry(),
                        savepoint.getPreferredSnapshotExecutionType())
                .snapshot(
                        1,
                        0,
                        new MemCheckpointStreamFactory(MAX_BYTES),
                        new CheckpointOptions(
                                SavepointType.savepoint(SavepointFormatType.CANONICAL),
                                CheckpointStorageLocationReference.getDefault()));
    }
}
