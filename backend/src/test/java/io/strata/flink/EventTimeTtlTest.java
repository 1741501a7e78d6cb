/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static io.strata.flink.TestCheckpoints.CHECKPOINT;
import static io.strata.flink.TestCheckpoints.FULL_CHECKPOINT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.SerializerFactory;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateChangelogOptions;
import org.apache.flink.runtime.state.DefaultKeyedStateStore;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** State that expires by the event time that the job tells. */
class EventTimeTtlTest {

    private static final long TTL = 1000;

    @TempDir Path local;
    @TempDir Path remote;

    private TestTasks tasks;

    @AfterEach
    void leavesNothing() {
        tasks.close();
        assertThat(local).isEmptyDirectory();
    }

    @ParameterizedTest(name = "all cold: {0}")
    @ValueSource(booleans = {false, true})
    void expiresByTheTimeThatIsTold(boolean cold) throws Exception {
        Job job = start(cold);
        job.eventTime.advance(5_000);
        job.writeAll(1);

        job.eventTime.advance(5_000 + TTL - 1);
        assertThat(job.readAll(1)).isEqualTo("1 [1] 1 1 1");
        job.eventTime.advance(5_000 + TTL);
        assertThat(job.readAll(1)).isEqualTo("null [] null null null");
    }

    @Test
    void anEarlierTimeHasNoEffect() throws Exception {
        Job job = start(false);
        job.eventTime.advance(5_000);
        job.writeAll(1);
        job.eventTime.advance(5_000 + TTL);
        job.eventTime.advance(5_001);

        assertThat(job.eventTime.currentTimestamp()).isEqualTo(5_000 + TTL);
        assertThat(job.readAll(1)).isEqualTo("null [] null null null");
    }

    @ParameterizedTest(name = "all cold: {0}")
    @ValueSource(booleans = {false, true})
    void aLateStartExpiresNothing(boolean cold) throws Exception {
        Job job = start(cold);
        job.eventTime.advance(Long.MIN_VALUE);
        job.writeAll(1);
        assertThat(job.readAll(1)).isEqualTo("1 [1] 1 1 1");

        job.eventTime.advance(1_700_000_000_000L);
        assertThat(job.readAll(1)).isEqualTo("1 [1] 1 1 1");
        job.eventTime.advance(1_700_000_000_000L + TTL - 1);
        assertThat(job.readAll(1)).isEqualTo("1 [1] 1 1 1");
        job.eventTime.advance(1_700_000_000_000L + TTL);
        assertThat(job.readAll(1)).isEqualTo("null [] null null null");
    }

    @Test
    void compactionDropsItNoSoonerThanReadsDo() throws Exception {
        Job job = start(true);
        for (int key = 0; key < 50; key++) {
            job.writeAll(key);
        }
        job.eventTime.advance(700_000);
        job.eventTime.advance(700_000 + TTL - 1);
        for (int key = 0; key < 50; key++) {
            assertThat(job.readAll(key)).isEqualTo("%1$d [%1$d] %1$d %1$d %1$d".formatted(key));
        }
        assertThat(coldRecords(job)).isGreaterThanOrEqualTo(5 * 50);

        job.eventTime.advance(700_000 + TTL);
        job.writeAll(1_000);
        job.readAll(1_000);
        assertThat(coldRecords(job)).isLessThanOrEqualTo(5);
    }

    private static long coldRecords(Job job) {
        job.task.backend().setCurrentKey(0);
        return job.task.backend().stats().coldRecords();
    }

    @Test
    void aCheckpointBeforeTheStartIsNoDifferent() throws Exception {
        Job job = start(false);
        job.writeAll(1);
        Job restored = start(false, new TestCheckpoints(remote).take(job.task, 1, CHECKPOINT));
        assertThat(restored.eventTime.currentTimestamp()).isEqualTo(Long.MIN_VALUE);
        assertThat(restored.readAll(1)).isEqualTo("1 [1] 1 1 1");

        restored.eventTime.advance(700_000);
        assertThat(restored.readAll(1)).isEqualTo("1 [1] 1 1 1");
        restored.eventTime.advance(700_000 + TTL);
        assertThat(restored.readAll(1)).isEqualTo("null [] null null null");
    }

    @Test
    void timeIsRestoredWithTheCheckpoint() throws Exception {
        Job job = start(false);
        job.eventTime.advance(5_000);
        job.writeAll(1);
        job.eventTime.advance(5_500);
        job.writeAll(2);
        TestCheckpoints checkpoints = new TestCheckpoints(remote);
        KeyedStateHandle handle = checkpoints.take(job.task, 1, CHECKPOINT);
        job.eventTime.advance(50_000);

        Job restored = start(false, handle);

        assertThat(restored.eventTime.currentTimestamp()).isEqualTo(5_500);
        assertThat(restored.readAll(1)).isEqualTo("1 [1] 1 1 1");
        restored.eventTime.advance(5_000 + TTL);
        assertThat(restored.readAll(1)).isEqualTo("null [] null null null");
        assertThat(restored.readAll(2)).isEqualTo("2 [2] 2 2 2");
    }

    @Test
    void afterARescaleTheLeastTimeCounts() throws Exception {
        List<KeyedStateHandle> handles = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Job part = new Job(newTasks(false).start(i, 2, List.of()));
            part.eventTime.advance(5_000 + i);
            part.writeAll(keyOf(i));
            handles.add(
                    new TestCheckpoints(remote.resolve("" + i))
                            .take(part.task, 1, FULL_CHECKPOINT));
            tasks.close();
        }

        Job joined = new Job(newTasks(false).start(0, 1, handles));

        assertThat(joined.eventTime.currentTimestamp()).isEqualTo(5_000);
        joined.eventTime.advance(5_000 + TTL);
        assertThat(joined.readAll(keyOf(0))).isEqualTo("null [] null null null");
        assertThat(joined.readAll(keyOf(1))).startsWith(keyOf(1) + " ");
    }

    @Test
    void stateOfAWindowIsKeptFromTheEndOfTheWindow() throws Exception {
        Job job = start(false);
        job.eventTime.advance(5_000);
        job.task.backend().setCurrentKey(1);
        ValueState<Integer> windowed =
                job.state(
                        job.withTtl(new ValueStateDescriptor<>("windowed", Integer.class)),
                        new TimeWindow(60_000, 70_000),
                        new TimeWindow.Serializer());
        windowed.update(3);
        ValueState<Integer> other =
                job.state(
                        job.withTtl(new ValueStateDescriptor<>("windowed", Integer.class)),
                        new TimeWindow(4_000, 4_500),
                        new TimeWindow.Serializer());
        assertThat(other).isSameAs(windowed);
        other.update(4);

        job.eventTime.advance(5_000 + TTL);
        assertThat(other.value()).isNull();
        job.state(
                job.withTtl(new ValueStateDescriptor<>("windowed", Integer.class)),
                new TimeWindow(60_000, 70_000),
                new TimeWindow.Serializer());
        assertThat(windowed.value()).isEqualTo(3);
        job.eventTime.advance(69_999 + TTL - 1);
        assertThat(windowed.value()).isEqualTo(3);
        job.eventTime.advance(69_999 + TTL);
        assertThat(windowed.value()).isNull();
    }

    @Test
    void withTheTimeOfTheMachineTellingHasNoEffect() throws Exception {
        tasks = new TestTasks(new StrataStateBackend(), local);
        Job job = new Job(tasks.start());
        job.writeAll(1);
        job.eventTime.advance(Long.MAX_VALUE - 1);

        assertThat(job.eventTime.currentTimestamp()).isEqualTo(Long.MIN_VALUE);
        assertThat(job.task.backend().numKeyValueStatesByName()).isEqualTo(5);
    }

    @Test
    void refusesFlinksChangelog() {
        tasks = new TestTasks(new StrataStateBackend(), local);
        Configuration both =
                new Configuration()
                        .set(
                                StrataOptions.TTL_TIME_CHARACTERISTIC,
                                TtlTimeCharacteristic.EVENT_TIME)
                        .set(StateChangelogOptions.ENABLE_STATE_CHANGE_LOG, true);

        assertThatThrownBy(
                        () ->
                                new StrataStateBackend()
                                        .configure(both, EventTimeTtlTest.class.getClassLoader()))
                .isInstanceOf(StrataConfigurationException.class)
                .hasMessageContaining("ttl.time-characteristic' is event-time")
                .hasMessageContaining("state.changelog.enabled");
    }

    private static int keyOf(int task) {
        int key = 0;
        while (TestTasks.taskOf(key, 2) != task) {
            key++;
        }
        return key;
    }

    private TestTasks newTasks(boolean cold) {
        StrataStateBackend backend =
                new StrataStateBackend()
                        .set(
                                StrataOptions.TTL_TIME_CHARACTERISTIC,
                                TtlTimeCharacteristic.EVENT_TIME);
        if (cold) {
            backend.set(StrataOptions.DEBUG_FLUSH_EVERY_OPERATIONS, 1)
                    .set(StrataOptions.DEBUG_EVICT_ALL, true)
                    .set(StrataOptions.DEBUG_COMPACT_EVERY_FLUSH, true);
        }
        tasks = new TestTasks(backend, local);
        return tasks;
    }

    private Job start(boolean cold, KeyedStateHandle... restored) throws Exception {
        if (tasks != null) {
            tasks.close();
        }
        return new Job(newTasks(cold).start(restored));
    }

    /** One state of each kind, all with a time to live. */
    private static final class Job {

        final TestTasks.Task task;
        final EventTimeTtl eventTime;

        private final ValueStateDescriptor<Integer> value =
                withTtl(new ValueStateDescriptor<>("value", Integer.class));
        private final ListStateDescriptor<Integer> list =
                withTtl(new ListStateDescriptor<>("list", Integer.class));
        private final MapStateDescriptor<Integer, Integer> map =
                withTtl(new MapStateDescriptor<>("map", Integer.class, Integer.class));
        private final ReducingStateDescriptor<Integer> reducing =
                withTtl(new ReducingStateDescriptor<>("reducing", Integer::sum, Integer.class));
        private final AggregatingStateDescriptor<Integer, Integer, Integer> aggregating =
                withTtl(
                        new AggregatingStateDescriptor<>(
                                "aggregating", new SumOfIntegers(), Integer.class));

        Job(TestTasks.Task task) {
            this.task = task;
            this.eventTime =
                    EventTimeTtl.of(
                            new DefaultKeyedStateStore(
                                    task.backend(),
                                    new SerializerFactory() {
                                        @Override
                                        public <T> TypeSerializer<T> createSerializer(
                                                TypeInformation<T> type) {
                                            return type.createSerializer(
                                                    new SerializerConfigImpl());
                                        }
                                    }));
        }

        <D extends StateDescriptor<?, ?>> D withTtl(D descriptor) {
            descriptor.enableTimeToLive(StateTtlConfig.newBuilder(Duration.ofMillis(TTL)).build());
            return descriptor;
        }

        <N, S extends State> S state(
                StateDescriptor<S, ?> descriptor, N namespace, TypeSerializer<N> serializer)
                throws Exception {
            return task.backend().getPartitionedState(namespace, serializer, descriptor);
        }

        private <S extends State> S state(StateDescriptor<S, ?> descriptor) throws Exception {
            return state(descriptor, VoidNamespace.INSTANCE, VoidNamespaceSerializer.INSTANCE);
        }

        void writeAll(int key) throws Exception {
            task.backend().setCurrentKey(key);
            state(value).update(key);
            state(list).add(key);
            state(map).put(key, key);
            state(reducing).add(key);
            state(aggregating).add(key);
        }

        String readAll(int key) throws Exception {
            task.backend().setCurrentKey(key);
            List<Integer> elements = new ArrayList<>();
            Iterable<Integer> stored = state(list).get();
            if (stored != null) {
                stored.forEach(elements::add);
            }
            return "%s %s %s %s %s"
                    .formatted(
                            state(value).value(),
                            elements,
                            state(map).get(key),
                            state(reducing).get(),
                            state(aggregating).get());
        }
    }
}
