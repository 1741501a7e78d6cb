/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.BackendBuildingException;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.runtime.testutils.statemigration.TestType;
import org.apache.flink.util.StateMigrationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registers restored states with serializers that can and cannot read them. */
class StateRegistryTest {

    @TempDir Path local;
    @TempDir Path remote;

    private TestTasks tasks;
    private TestCheckpoints checkpoints;

    @BeforeEach
    void setUp() {
        tasks = new TestTasks(new StrataStateBackend(), local);
        checkpoints = new TestCheckpoints(remote);
    }

    @AfterEach
    void leavesNothing() {
        tasks.close();
        assertThat(local).isEmptyDirectory();
    }

    @Test
    void takesASerializerThatIsReconfigured() throws Exception {
        KeyedStateHandle handle = checkpointOf(new TestType.V1TestTypeSerializer(), true);

        TestTasks.Task restored = tasks.start(handle);
        restored.backend().setCurrentKey(1);

        assertThat(
                        restored.backend()
                                .getPartitionedState(
                                        VoidNamespace.INSTANCE,
                                        VoidNamespaceSerializer.INSTANCE,
                                        new ValueStateDescriptor<>(
                                                "state",
                                                new TestType
                                                        .ReconfigurationRequiringTestTypeSerializer()))
                                .value())
                .isEqualTo(new TestType("a", 1));
    }

    @Test
    void readsThroughASerializerThatNeedsAMigration() throws Exception {
        KeyedStateHandle handle = checkpointOf(new TestType.V1TestTypeSerializer(), true);
        TestTasks.Task restored = tasks.start(handle);
        restored.backend().setCurrentKey(1);

        assertThat(
                        restored.backend()
                                .getPartitionedState(
                                        VoidNamespace.INSTANCE,
                                        VoidNamespaceSerializer.INSTANCE,
                                        new ValueStateDescriptor<>(
                                                "state", new TestType.V2TestTypeSerializer()))
                                .value())
                .isEqualTo(new TestType("a", 1));
    }

    @Test
    void takesASerializerThatNeedsAMigrationWhenThereIsNothingToMigrate() throws Exception {
        KeyedStateHandle handle = checkpointOf(new TestType.V1TestTypeSerializer(), false);
        TestTasks.Task restored = tasks.start(handle);
        restored.backend().setCurrentKey(1);
        ValueStateDescriptor<TestType> descriptor =
                new ValueStateDescriptor<>("state", new TestType.V2TestTypeSerializer());

        restored.backend()
                .getPartitionedState(
                        VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor)
                .update(new TestType("b", 2));

        KeyedStateHandle next = checkpoints.take(restored, 2, TestCheckpoints.CHECKPOINT);
        restored.end();
        TestTasks.Task again = tasks.start(next);
        again.backend().setCurrentKey(1);
        assertThat(
                        again.backend()
                                .getPartitionedState(
                                        VoidNamespace.INSTANCE,
                                        VoidNamespaceSerializer.INSTANCE,
                                        descriptor)
                                .value())
                .isEqualTo(new TestType("b", 2));
    }

    @Test
    void refusesAnIncompatibleSerializer() throws Exception {
        KeyedStateHandle handle = checkpointOf(new TestType.V1TestTypeSerializer(), true);
        TestTasks.Task restored = tasks.start(handle);

        assertThatThrownBy(
                        () ->
                                get(
                                        restored,
                                        new ValueStateDescriptor<>(
                                                "state",
                                                new TestType.IncompatibleTestTypeSerializer())))
                .isInstanceOf(StateMigrationException.class)
                .hasMessageContaining("'state'")
                .hasMessageContaining("IncompatibleTestTypeSerializer");
    }

    @Test
    void refusesAnotherKindOfState() throws Exception {
        KeyedStateHandle handle = checkpointOf(new TestType.V1TestTypeSerializer(), true);
        TestTasks.Task restored = tasks.start(handle);

        assertThatThrownBy(
                        () ->
                                get(
                                        restored,
                                        new MapStateDescriptor<>(
                                                "state",
                                                IntSerializer.INSTANCE,
                                                StringSerializer.INSTANCE)))
                .hasMessageContaining("VALUE")
                .hasMessageContaining("MAP");
    }

    @Test
    void refusesAnotherNamespaceSerializer() throws Exception {
        KeyedStateHandle handle = checkpointOf(new TestType.V1TestTypeSerializer(), true);
        TestTasks.Task restored = tasks.start(handle);

        assertThatThrownBy(
                        () ->
                                restored.backend()
                                        .getPartitionedState(
                                                1L,
                                                LongSerializer.INSTANCE,
                                                new ValueStateDescriptor<>(
                                                        "state",
                                                        new TestType.V1TestTypeSerializer())))
                .isInstanceOf(StateMigrationException.class)
                .hasMessageContaining("namespace serializer");
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void refusesAnotherKeySerializer() throws Exception {
        KeyedStateHandle handle = checkpointOf(new TestType.V1TestTypeSerializer(), true);

        assertThatThrownBy(
                        () ->
                                tasks.start(
                                        0,
                                        1,
                                        List.of(handle),
                                        (TypeSerializer) StringSerializer.INSTANCE))
                .isInstanceOf(BackendBuildingException.class)
                .cause()
                .isInstanceOf(StateMigrationException.class)
                .hasMessageContaining("key serializer");
    }

    private KeyedStateHandle checkpointOf(TypeSerializer<TestType> serializer, boolean withData)
            throws Exception {
        TestTasks.Task task = tasks.start();
        task.backend().setCurrentKey(1);
        var state =
                task.backend()
                        .getPartitionedState(
                                VoidNamespace.INSTANCE,
                                VoidNamespaceSerializer.INSTANCE,
                                new ValueStateDescriptor<>("state", serializer));
        if (withData) {
            state.update(new TestType("a", 1));
        }
        KeyedStateHandle handle = checkpoints.take(task, 1, TestCheckpoints.CHECKPOINT);
        task.end();
        return handle;
    }

    private static void get(TestTasks.Task task, StateDescriptor<?, ?> descriptor)
            throws Exception {
        task.backend()
                .getPartitionedState(
                        VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE, descriptor);
    }
}
