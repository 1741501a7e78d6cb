/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import io.strata.flink.model.BackendUnderTest.Ability;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.checkpoint.StateAssignmentOperation;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.ConfigurableStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.storage.JobManagerCheckpointStorage;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.runtime.util.TestingTaskManagerRuntimeInfo;

/** A keyed operator at some parallelism on one backend, with its checkpoints. */
final class KeyedJob implements AutoCloseable {
    private final Scenario scenario;
    private final BackendUnderTest subject;
    private final ConfigurableStateBackend stateBackend;
    private final JobID jobId;
    private final File directory;
    private final MockEnvironment environment;
    private final Checkpoints checkpoints;
    private List<JobInstance> instances;

    KeyedJob(Scenario scenario, BackendUnderTest subject, Path directory) throws Exception {
        this(scenario, subject, directory.toFile(), scenario.parallelism(), List.of());
    }

    private KeyedJob(
            Scenario scenario,
            BackendUnderTest subject,
            File directory,
            int parallelism,
            List<KeyedStateHandle> restored)
            throws Exception {
        this.scenario = scenario;
        this.subject = subject;
        this.directory = directory;
        BackendUnderTest.Options options = scenario.optionsOf(subject);
        this.stateBackend = subject.create(options.configuration());
        this.jobId = new JobID(scenario.seed(), 1);
        this.environment = environment(options);
        this.checkpoints = new Checkpoints(this);
        this.instances = start(parallelism, restored);
    }

    /** Starts the same job on another backend, from a savepoint. */
    KeyedJob movedTo(BackendUnderTest other, List<KeyedStateHandle> savepoint, int parallelism)
            throws Exception {
        Path beside = Files.createTempDirectory(directory.toPath().getParent(), "moved-");
        return new KeyedJob(scenario, other, beside.toFile(), parallelism, savepoint);
    }

    private MockEnvironment environment(BackendUnderTest.Options options) throws Exception {
        MockEnvironment created =
                new MockEnvironmentBuilder()
                        .setManagedMemorySize(options.managedBytes())
                        .setTaskManagerRuntimeInfo(
                                new TestingTaskManagerRuntimeInfo(
                                        new Configuration(),
                                        new String[] {directory.getPath()},
                                        "localhost",
                                        directory))
                        .setJobID(jobId)
                        .build();
        created.setCheckpointStorageAccess(
                new JobManagerCheckpointStorage().createCheckpointStorage(jobId));
        return created;
    }

    Scenario scenario() {
        return scenario;
    }

    Checkpoints checkpoints() {
        return checkpoints;
    }

    List<JobInstance> instances() {
        return instances;
    }

    StateSpec spec(Operation.Place place) {
        return scenario.states().get(place.state());
    }

    /** Returns the state at a place of the scenario, set to its key and namespace. */
    State at(Operation.Place place) throws Exception {
        StateSpec spec = spec(place);
        Object key = scenario.keyType().key(place.key());
        return instanceOf(key).state(spec, key, spec.namespaces().namespace(place.namespace()));
    }

    JobInstance instanceOf(Object key) {
        int keyGroup = KeyGroupRangeAssignment.assignToKeyGroup(key, scenario.maxParallelism());
        return instances.get(
                KeyGroupRangeAssignment.computeOperatorIndexForKeyGroup(
                        scenario.maxParallelism(), instances.size(), keyGroup));
    }

    /** Reads everything: for each state its content by key and namespace. */
    String scan() throws Exception {
        Map<String, String> contents = new TreeMap<>();
        for (JobInstance instance : instances) {
            instance.endRecord();
            for (StateSpec spec : scenario.states()) {
                for (Tuple2<Object, Object> place : instance.places(spec)) {
                    String name = spec.name() + "|" + Observed.of(place.f0) + "|" + place.f1;
                    State state = instance.state(spec, place.f0, place.f1);
                    if (contents.put(name, StateAccess.read(spec, state)) != null) {
                        throw new IllegalStateException("listed twice: " + name);
                    }
                }
            }
        }
        return contents.toString();
    }

    /** Fails the job and starts it again from a checkpoint's handles, at another parallelism. */
    void restart(List<KeyedStateHandle> handles, int parallelism, boolean disposeOnly)
            throws Exception {
        stop(disposeOnly);
        instances = start(parallelism, handles);
    }

    private List<JobInstance> start(int parallelism, List<KeyedStateHandle> handles)
            throws Exception {
        List<JobInstance> started = new ArrayList<>();
        for (int i = 0; i < parallelism; i++) {
            KeyGroupRange range =
                    KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
                            scenario.maxParallelism(), parallelism, i);
            List<KeyedStateHandle> own = new ArrayList<>();
            StateAssignmentOperation.extractIntersectingState(handles, range, own);
            started.add(new JobInstance(subject, createBackend(range, i, own)));
        }
        return started;
    }

    private AbstractKeyedStateBackend<Object> createBackend(
            KeyGroupRange range, int index, List<KeyedStateHandle> handles) throws Exception {
        return (AbstractKeyedStateBackend<Object>)
                stateBackend.createKeyedStateBackend(
                        new KeyedStateBackendParametersImpl<>(
                                environment,
                                jobId,
                                "model-operator-" + index,
                                scenario.keyType().serializer(),
                                scenario.maxParallelism(),
                                range,
                                environment.getTaskKvStateRegistry(),
                                TtlTimeProvider.DEFAULT,
                                new UnregisteredMetricsGroup(),
                                (name, value) -> {},
                                handles,
                                new CloseableRegistry(),
                                1.0));
    }

    private void stop(boolean disposeOnly) throws Exception {
        for (JobInstance instance : instances) {
            instance.close(disposeOnly);
        }
        instances = List.of();
    }

    /** Stops everything and checks that nothing is left: memory, local files, checkpoint files. */
    @Override
    public void close() throws Exception {
        checkpoints.failPending();
        stop(false);
        environment.close();
        checkpoints.discardAll();
        checkpoints.verifyTidy(subject.has(Ability.TIDY_CHECKPOINTS));
        if (subject.has(Ability.TIDY_DISK)) {
            verifyNoLocalFiles();
        }
    }

    private void verifyNoLocalFiles() throws IOException {
        try (Stream<Path> files = Files.walk(directory.toPath())) {
            List<Path> left = files.filter(Files::isRegularFile).toList();
            if (!left.isEmpty()) {
                throw new IllegalStateException("local files left: " + left);
            }
        }
    }
}
