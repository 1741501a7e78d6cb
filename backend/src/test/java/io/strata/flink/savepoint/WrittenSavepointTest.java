/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.savepoint.WrittenOperator.Setup;
import io.strata.flink.savepoint.WrittenState.Kind;
import io.strata.flink.savepoint.WrittenState.Ttl;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.state.AppendingState;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.ConfigurableStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SnapshotResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Canonical savepoints of Strata, one situation a test. */
class WrittenSavepointTest {

    private static final int MAX_PARALLELISM = 128;
    private static final int KEYS = 40;
    private static final WrittenState VALUE = new WrittenState(Kind.VALUE, false, Ttl.NONE);
    private static final WrittenState MAP = new WrittenState(Kind.MAP, true, Ttl.NONE);

    @TempDir File directory;

    private final AtomicLong clock = new AtomicLong(1000);

    @Test
    void isNothingWithoutAnyState() throws Exception {
        try (WrittenOperator strata = start(WrittenBackends.allHot(), List.of())) {
            assertThat(strata.savepoint()).isEmpty();
        }
    }

    @Test
    void holdsWhatFlinkKnowsAboutEmptyStates() throws Exception {
        List<String> states;
        List<KeyedStateHandle> handles;
        try (WrittenOperator strata = start(WrittenBackends.allHot(), List.of());
                WrittenOperator hashMap = start(WrittenBackends.hashMap(), List.of())) {
            for (WrittenState state : WrittenState.all()) {
                strata.register(state);
                hashMap.register(state);
            }
            handles = strata.savepoint();
            states = states(handles);
            assertThat(states).isEqualTo(states(hashMap.savepoint())).hasSize(30);
        }
        for (ConfigurableStateBackend other : others()) {
            try (WrittenOperator restored = start(other, handles)) {
                assertThat(restored.read(WrittenState.all(), 1, false)).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 128, 129, 4096, 32768})
    void holdsTimersWithKeyGroupPrefixesOfEitherLength(int maxParallelism) throws Exception {
        Setup setup = new Setup(WrittenKeys.STRING, maxParallelism, false, clock, directory);
        List<KeyedStateHandle> handles;
        Map<String, String> contents;
        try (WrittenOperator strata =
                new WrittenOperator(setup, WrittenBackends.allHot(), 1, List.of())) {
            for (int key = 0; key < KEYS; key++) {
                strata.addTimer(WrittenKeys.STRING.key(key), -key);
                strata.addTimer(WrittenKeys.STRING.key(key), 1L << key);
            }
            handles = strata.savepoint();
            contents = strata.read(List.of(), 0, true);
        }
        for (ConfigurableStateBackend other : others()) {
            try (WrittenOperator restored = new WrittenOperator(setup, other, 1, handles)) {
                assertThat(restored.read(List.of(), 0, true)).isEqualTo(contents);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {128, 4096, 32768})
    void isRescaled(int maxParallelism) throws Exception {
        Setup setup = new Setup(WrittenKeys.POJO, maxParallelism, true, clock, directory);
        List<KeyedStateHandle> handles;
        try (WrittenOperator strata =
                new WrittenOperator(setup, WrittenBackends.mixed(7), 3, List.of())) {
            update(strata, "value");
            handles = strata.savepoint();
        }
        for (ConfigurableStateBackend other : others()) {
            try (WrittenOperator restored = new WrittenOperator(setup, other, 2, handles)) {
                assertThat(restored.read(List.of(VALUE), KEYS, false)).isEqualTo(all("value"));
            }
        }
    }

    /** The heap backend cannot write such an entry, but it reads it. */
    @Test
    void holdsNullMapValues() throws Exception {
        List<KeyedStateHandle> handles;
        try (WrittenOperator strata = start(WrittenBackends.allCold(2), List.of());
                WrittenOperator rocksDb = start(WrittenBackends.rocksDb(), List.of())) {
            for (WrittenOperator operator : List.of(strata, rocksDb)) {
                map(operator, MAP).put("present", "value");
                map(operator, MAP).put("null", null);
            }
            handles = strata.savepoint();
            assertThat(entries(handles)).isEqualTo(entries(rocksDb.savepoint())).hasSize(2);
        }
        for (ConfigurableStateBackend other : others()) {
            try (WrittenOperator restored = start(other, handles)) {
                assertThat(map(restored, MAP).contains("null")).isTrue();
                assertThat(map(restored, MAP).get("null")).isNull();
                assertThat(map(restored, MAP).get("present")).isEqualTo("value");
            }
        }
    }

    @Test
    void leavesExpiredStateOutWhenAskedTo() throws Exception {
        try (WrittenOperator strata = start(WrittenBackends.mixed(3), List.of())) {
            writeOldAndNew(strata, Ttl.CLEANED);

            List<CanonicalSavepoints.Entry> entries = entries(strata.savepoint());

            assertThat(entries)
                    .extracting(CanonicalSavepoints.Entry::state)
                    .containsExactlyInAnyOrder(
                            "VALUE-CLEANED",
                            "REDUCING-CLEANED",
                            "AGGREGATING-CLEANED",
                            "LIST-CLEANED",
                            "LIST-CLEANED",
                            "MAP-CLEANED");
            assertThat(entries).noneMatch(entry -> entry.value().contains(hex("old")));
            assertThat(entries.stream().filter(entry -> entry.value().contains(hex("new"))))
                    .hasSize(5);
        }
    }

    /** Also where the state's configuration says nothing of snapshots. */
    @Test
    void leavesExpiredStateOutWhenNotAskedTo() throws Exception {
        List<KeyedStateHandle> handles;
        try (WrittenOperator strata = start(WrittenBackends.mixed(3), List.of())) {
            writeOldAndNew(strata, Ttl.KEPT);
            handles = strata.savepoint();
            assertThat(entries(handles))
                    .hasSize(1 + 1 + 1 + 2 + 1)
                    .noneMatch(entry -> entry.value().contains(hex("old")));
        }
        for (ConfigurableStateBackend other : others()) {
            try (WrittenOperator restored = start(other, handles)) {
                WrittenState value = new WrittenState(Kind.VALUE, false, Ttl.KEPT);
                assertThat(restored.read(List.of(value), 3, false)).hasSize(1);
            }
        }
    }

    /** A savepoint of the heap backend with null values in state with a time to live fails. */
    @Test
    void expiredMapEntriesDoNotBreakTheNextSavepointOfTheHeapBackend() throws Exception {
        WrittenState state = new WrittenState(Kind.MAP, false, Ttl.CLEANED);
        List<KeyedStateHandle> handles;
        try (WrittenOperator strata = start(WrittenBackends.allHot(), List.of())) {
            map(strata, state).put("old", "old");
            clock.addAndGet(WrittenState.TTL_MILLIS);
            map(strata, state).put("new", "new");
            handles = strata.savepoint();
        }
        try (WrittenOperator hashMap = start(WrittenBackends.hashMap(), handles)) {
            hashMap.register(state);
            assertThat(entries(hashMap.savepoint())).hasSize(1).isEqualTo(entries(handles));
        }
    }

    @Test
    void carriesStatesThatNobodyRegistered() throws Exception {
        List<KeyedStateHandle> checkpoint;
        try (WrittenOperator strata = start(WrittenBackends.allHot(), List.of())) {
            update(strata, "carried");
            strata.addTimer(WrittenKeys.STRING.key(1), 1);
            checkpoint = List.of(checkpoint(strata));
        }
        List<KeyedStateHandle> handles;
        try (WrittenOperator strata = start(WrittenBackends.allHot(), checkpoint)) {
            map(strata, MAP).put("other", "state");
            handles = strata.savepoint();
        }
        for (ConfigurableStateBackend other : others()) {
            try (WrittenOperator restored = start(other, handles)) {
                assertThat(restored.read(List.of(VALUE), KEYS, false)).isEqualTo(all("carried"));
                assertThat(restored.read(List.of(MAP), 1, true)).hasSize(2);
            }
        }
    }

    /** The task goes on while another thread writes: flushes, evictions, compactions (I7). */
    @Test
    void holdsTheStateAtTheBarrierWhileTheTaskGoesOn() throws Exception {
        List<KeyedStateHandle> handles = new ArrayList<>();
        try (WrittenOperator strata = start(WrittenBackends.allCold(5), List.of())) {
            for (int round = 0; round < 10; round++) {
                update(strata, "before-" + round);
                List<RunnableFuture<SnapshotResult<KeyedStateHandle>>> savepoint =
                        strata.begin(CanonicalSavepoints.inMemory());
                CompletableFuture<Void> writing = CompletableFuture.runAsync(savepoint.get(0));
                update(strata, "after");
                writing.get();
                handles.addAll(CanonicalSavepoints.finish(savepoint));
            }
        }
        for (int round = 0; round < handles.size(); round++) {
            try (WrittenOperator restored =
                    start(WrittenBackends.hashMap(), List.of(handles.get(round)))) {
                assertThat(restored.read(List.of(VALUE), KEYS, false))
                        .isEqualTo(all("before-" + round));
            }
        }
    }

    @Test
    void isCompressedWhenAskedTo() throws Exception {
        long[] sizes = new long[2];
        for (boolean compression : new boolean[] {false, true}) {
            Setup setup = new Setup(WrittenKeys.LONG, 1, compression, clock, directory);
            try (WrittenOperator strata =
                    new WrittenOperator(setup, WrittenBackends.allHot(), 1, List.of())) {
                update(strata, "the same for every key");
                sizes[compression ? 1 : 0] = strata.savepoint().get(0).getStateSize();
            }
        }
        assertThat(sizes[1]).isLessThan(sizes[0] * 2 / 3);
    }

    @Test
    void readAheadIsBounded() {
        assertThat(SavepointSnapshot.readAheadBytes(0)).isEqualTo(128 << 10);
        assertThat(SavepointSnapshot.readAheadBytes(256)).isEqualTo(128 << 10);
        assertThat(SavepointSnapshot.readAheadBytes(1024)).isEqualTo(32 << 10);
        assertThat(SavepointSnapshot.readAheadBytes(100_000)).isEqualTo(8 << 10);
    }

    /** Returns the bytes in which a string is written, without its length. */
    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Key 0 has only expired content, key 1 both where it can, key 2 only new content. */
    @SuppressWarnings("unchecked")
    private void writeOldAndNew(WrittenOperator operator, Ttl ttl) throws Exception {
        WrittenState value = new WrittenState(Kind.VALUE, false, ttl);
        WrittenState list = new WrittenState(Kind.LIST, false, ttl);
        WrittenState map = new WrittenState(Kind.MAP, false, ttl);
        for (String text : List.of("old", "new")) {
            int key = text.equals("old") ? 0 : 2;
            ((ValueState<String>) operator.at(value, key, 0)).update(text);
            append(operator, new WrittenState(Kind.REDUCING, false, ttl), key, 7L);
            append(operator, new WrittenState(Kind.AGGREGATING, false, ttl), key, text);
            append(operator, list, key, text);
            append(operator, list, 1, text);
            ((MapState<String, String>) operator.at(map, 1, 0)).put(text, text);
            clock.addAndGet(text.equals("old") ? WrittenState.TTL_MILLIS : 0);
        }
    }

    @SuppressWarnings("unchecked")
    private static void append(WrittenOperator operator, WrittenState state, int key, Object added)
            throws Exception {
        ((AppendingState<Object, ?>) operator.at(state, key, 0)).add(added);
    }

    @SuppressWarnings("unchecked")
    private static void update(WrittenOperator operator, String text) throws Exception {
        for (int key = 0; key < KEYS; key++) {
            ((ValueState<String>) operator.at(VALUE, key, 0)).update(text + key);
        }
    }

    private static Map<String, String> all(String text) {
        Map<String, String> contents = new TreeMap<>();
        for (int key = 0; key < KEYS; key++) {
            contents.put(VALUE.name() + " " + key + " 0", text + key);
        }
        return contents;
    }

    private WrittenOperator start(ConfigurableStateBackend backend, List<KeyedStateHandle> restored)
            throws Exception {
        Setup setup = new Setup(WrittenKeys.STRING, MAX_PARALLELISM, false, clock, directory);
        return new WrittenOperator(setup, backend, 1, restored);
    }

    private static KeyedStateHandle checkpoint(WrittenOperator operator) throws Exception {
        RunnableFuture<SnapshotResult<KeyedStateHandle>> checkpoint =
                operator.instances()
                        .get(0)
                        .snapshot(
                                1,
                                0,
                                CanonicalSavepoints.inMemory(),
                                CheckpointOptions.forCheckpointWithDefaultLocation());
        checkpoint.run();
        return checkpoint.get().getJobManagerOwnedSnapshot();
    }

    @SuppressWarnings("unchecked")
    private static MapState<String, String> map(WrittenOperator operator, WrittenState state)
            throws Exception {
        return (MapState<String, String>) operator.at(state, 0, 0);
    }

    private static List<CanonicalSavepoints.Entry> entries(List<KeyedStateHandle> handles)
            throws Exception {
        return CanonicalSavepoints.entries(
                handles, WrittenKeys.STRING.serializer(), MAX_PARALLELISM);
    }

    private static List<String> states(List<KeyedStateHandle> handles) throws Exception {
        assertThat(handles).hasSize(1);
        return CanonicalSavepoints.states(
                handles.get(0),
                WrittenKeys.STRING.serializer(),
                KeyGroupRange.of(0, MAX_PARALLELISM - 1));
    }

    private static List<ConfigurableStateBackend> others() {
        return List.of(WrittenBackends.hashMap(), WrittenBackends.rocksDb());
    }
}
