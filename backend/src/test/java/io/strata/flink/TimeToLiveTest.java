/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SavepointResources;
import org.apache.flink.runtime.state.SavepointSnapshotStrategy;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.SnapshotStrategyRunner;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.internal.InternalKvState;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.runtime.state.ttl.MockTtlTimeProvider;
import org.apache.flink.runtime.state.ttl.StateBackendTestContext;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The time to live of state over the whole backend, everything cold as soon as it is written. */
class TimeToLiveTest {

    private static final long TTL = 100;

    private final MockTtlTimeProvider clock = new MockTtlTimeProvider();
    private Context backend;

    /** Gives access to a backend, as Flink's tests of TTL do. */
    private static final class Context extends StateBackendTestContext {

        Context(TtlTimeProvider clock) {
            super(clock);
        }

        @Override
        protected StateBackend createStateBackend() {
            Configuration configuration = new Configuration();
            configuration.set(StrataOptions.HOT_SIZE, MemorySize.ofMebiBytes(1));
            configuration.set(StrataOptions.DEBUG_FLUSH_EVERY_OPERATIONS, 1);
            configuration.set(StrataOptions.DEBUG_EVICT_ALL, true);
            return new StrataStateBackend().configure(configuration, getClass().getClassLoader());
        }

        StrataKeyedStateBackend<String> strata() {
            return (StrataKeyedStateBackend<String>)
                    this.<StrataKeyedStateBackend<String>>getKeyedStateBackend();
        }
    }

    @BeforeEach
    void open() throws Exception {
        backend = new Context(clock);
        backend.createAndRestoreKeyedStateBackend(null);
        backend.setCurrentKey("key");
    }

    @AfterEach
    void close() {
        backend.strata().dispose();
    }

    @Test
    void aShorterTimeToLiveCountsForOldValues() throws Exception {
        clock.time = 0;
        values(TTL).update("old");
        restart(backend.takeSnapshot());
        clock.time = 30;
        assertThat(values(20).value()).isNull();
        restart(backend.takeSnapshot());
        assertThat(values(TTL).value()).as("was cleared when it was read").isNull();
    }

    @Test
    void aLongerTimeToLiveCountsForOldValues() throws Exception {
        clock.time = 0;
        values(TTL).update("old");
        restart(backend.takeSnapshot());
        clock.time = TTL + 1;
        assertThat(values(2 * TTL).value()).isEqualTo("old");
        clock.time = 2 * TTL;
        assertThat(values(2 * TTL).value()).isNull();
    }

    @Test
    void aLongerTimeToLiveBringsNothingOlderBack() throws Exception {
        clock.time = 0;
        values(TTL).update("oldest");
        clock.time = 1;
        values(TTL).update("newer");
        clock.time = TTL + 1;
        assertThat(values(TTL).value()).isNull();
        restart(backend.takeSnapshot());
        assertThat(values(10 * TTL).value()).isNull();
    }

    /** A clock that is set back stands still: nothing expires early, and nothing comes back. */
    @Test
    void theClockGoesBackwards() throws Exception {
        ValueState<String> values = values(TTL);
        clock.time = 1_000;
        values.update("a");
        clock.time = 1_000 + TTL;
        assertThat(values.value()).isNull();
        backend.setCurrentKey("other");
        values.update("b");
        clock.time = 0;
        assertThat(values.value()).isEqualTo("b");
        backend.setCurrentKey("key");
        assertThat(values.value()).isNull();
        values.update("c");
        clock.time = 1_000 + TTL + 1;
        assertThat(values.value()).as("written while the clock stood still").isEqualTo("c");
        clock.time = 1_000 + 2 * TTL;
        assertThat(values.value()).isNull();
    }

    /** The end of the time to live is the same to the millisecond here and in Flink. */
    @Test
    void expiresInTheSameMomentInBothTiers() throws Exception {
        ValueState<String> values = values(TTL);
        clock.time = 7;
        values.update("a");
        clock.time = 7 + TTL - 1;
        backend.strata().savepoint().getSnapshotResources().release(); // flushes
        assertThat(values.value()).isEqualTo("a");
        clock.time = 7 + TTL;
        assertThat(original(values)).isNull();
    }

    /** Where all background clean-up is disabled, only a read or a full snapshot cleans up. */
    @Test
    void disabledCleanUpLeavesWhatHasExpired() throws Exception {
        StateTtlConfig config = config(TTL).disableCleanupInBackground().build();
        ValueState<String> values = values(config);
        clock.time = 0;
        values.update("a");
        backend.setCurrentKey("other");
        clock.time = TTL + 1;
        values.update("b");
        backend.setCurrentKey("key");
        assertThat(original(values)).as("not read through the TTL").isNotNull();
        assertThat(values.value()).isNull();
        assertThat(original(values)).isNull();
    }

    /** Whatever the configuration says of clean-up. */
    @Test
    void canonicalSavepointsHoldNothingThatHasExpired() throws Exception {
        StateTtlConfig config = config(TTL).disableCleanupInBackground().build();
        clock.time = 0;
        values(config).update("old");
        list(config).addAll(List.of("old", "older"));
        map(config).put("old", "value");
        clock.time = TTL - 1;
        list(config).add("new");
        map(config).put("new", "value");
        clock.time = TTL;
        KeyedStateHandle savepoint = savepoint();
        restart(savepoint);
        clock.time = TTL - 1;
        assertThat(original(values(config))).isNull();
        assertThat(list(config).get()).containsExactly("new");
        assertThat(map(config).keys()).containsExactly("new");
    }

    /** Runs made of a savepoint know their timestamps, so that they may go unread. */
    @Test
    void importedRunsGoUnread() throws Exception {
        clock.time = 0;
        values(TTL).update("old");
        map(config(TTL).build()).put("old", "value");
        restart(savepoint());
        values(TTL);
        map(config(TTL).build());
        assertThat(backend.strata().stats().runs()).isEqualTo(2);
        clock.time = TTL;
        backend.takeSnapshot();
        backend.strata().stats();
        assertThat(published().expiredRuns()).isEqualTo(2);
        assertThat(published().runs()).isZero();
    }

    /** A checkpoint holds no run of which everything has expired. */
    @Test
    void expiredRunsAreNotUploaded() throws Exception {
        clock.time = 0;
        values(TTL).update("old");
        backend.takeSnapshot();
        assertThat(published().runs()).isEqualTo(1);
        clock.time = TTL;
        KeyedStateHandle snapshot = backend.takeSnapshot();
        assertThat(published().runs()).isZero();
        restart(snapshot);
        assertThat(published().runs()).isZero();
    }

    private io.strata.flink.engine.StoreStats published() {
        for (int i = 0; i < 4_096; i++) {
            backend.setCurrentKey("key");
        }
        return backend.strata().stats();
    }

    private void restart(KeyedStateHandle handle) throws Exception {
        backend.createAndRestoreKeyedStateBackend(handle);
        backend.setCurrentKey("key");
    }

    private KeyedStateHandle savepoint() throws Exception {
        SavepointResources<String> resources = backend.strata().savepoint();
        RunnableFuture<SnapshotResult<KeyedStateHandle>> savepoint =
                new SnapshotStrategyRunner<>(
                                "savepoint",
                                new SavepointSnapshotStrategy<>(resources.getSnapshotResources()),
                                new CloseableRegistry(),
                                resources.getPreferredSnapshotExecutionType())
                        .snapshot(
                                1,
                                0,
                                new MemCheckpointStreamFactory(1 << 20),
                                CheckpointOptions.forCheckpointWithDefaultLocation());
        savepoint.run();
        return savepoint.get().getJobManagerOwnedSnapshot();
    }

    private static StateTtlConfig.Builder config(long millis) {
        return StateTtlConfig.newBuilder(Duration.ofMillis(millis));
    }

    private ValueState<String> values(long millis) throws Exception {
        return values(config(millis).build());
    }

    private ValueState<String> values(StateTtlConfig config) throws Exception {
        ValueStateDescriptor<String> descriptor = new ValueStateDescriptor<>("v", Types.STRING);
        descriptor.enableTimeToLive(config);
        return backend.createState(descriptor, "");
    }

    private ListState<String> list(StateTtlConfig config) throws Exception {
        ListStateDescriptor<String> descriptor = new ListStateDescriptor<>("l", Types.STRING);
        descriptor.enableTimeToLive(config);
        return backend.createState(descriptor, "");
    }

    private MapState<String, String> map(StateTtlConfig config) throws Exception {
        MapStateDescriptor<String, String> descriptor =
                new MapStateDescriptor<>("m", Types.STRING, Types.STRING);
        descriptor.enableTimeToLive(config);
        return backend.createState(descriptor, "");
    }

    /** Reads what is behind Flink's wrapper, which would not show what has expired. */
    private Object original(ValueState<String> values) throws Exception {
        var wrapper = (InternalKvState<?, ?, ?>) values;
        var field = wrapper.getClass().getSuperclass().getSuperclass().getDeclaredField("original");
        field.setAccessible(true);
        return ((ValueState<?>) field.get(wrapper)).value();
    }
}
