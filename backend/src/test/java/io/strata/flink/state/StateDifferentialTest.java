/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyedStateBackendParametersImpl;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.runtime.state.internal.InternalKvState;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The same random operations on Flink's {@code hashmap} state objects and on ours, every result
 * compared. {@code -Dstrata.seed} replays one seed, {@code -Dstrata.seeds} sets how many are tried.
 */
class StateDifferentialTest {

    private static final int SEEDS = Integer.getInteger("strata.seeds", 2);
    private static final int OPERATIONS = Integer.getInteger("strata.operations", 400);
    private static final int KEYS = 12;
    private static final int NAMESPACES = 4;

    @TempDir Path root;

    static Stream<Arguments> cases() {
        return Stream.of(Regime.HOT, Regime.COLD, Regime.MIXED, Regime.FLUSHED)
                .flatMap(
                        regime ->
                                Stream.of(StateScript.values())
                                        .map(script -> Arguments.of(regime, script)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void behavesAsHashmap(Regime regime, StateScript script) throws Exception {
        Long only = Long.getLong("strata.seed");
        for (long seed = 0; seed < SEEDS; seed++) {
            compare(regime, script, only == null ? seed : only);
        }
    }

    private void compare(Regime regime, StateScript script, long seed) throws Exception {
        Path storeRoot = root.resolve(regime + "-" + script + "-" + seed);
        try (MockEnvironment environment = new MockEnvironmentBuilder().build();
                StateHarness harness = new StateHarness(storeRoot, regime)) {
            AbstractKeyedStateBackend<Integer> hashmap = hashmap(environment);
            InternalKvState<Integer, Integer, ?> expected =
                    (InternalKvState<Integer, Integer, ?>)
                            hashmap.getOrCreateKeyedState(
                                    IntSerializer.INSTANCE, script.descriptor());
            InternalKvState<Integer, Integer, ?> actual =
                    (InternalKvState<Integer, Integer, ?>) harness.state(script.descriptor());
            Random random = new Random(seed);
            List<String> history = new ArrayList<>();
            for (int i = 0; i < OPERATIONS; i++) {
                int key = random.nextInt(KEYS);
                int namespace = random.nextInt(NAMESPACES);
                long operation = random.nextLong();
                hashmap.setCurrentKey(key);
                harness.setCurrentKey(key);
                expected.setCurrentNamespace(namespace);
                actual.setCurrentNamespace(namespace);
                String wanted = script.run(expected, key, namespace, new Random(operation));
                String got = script.run(actual, key, namespace, new Random(operation));
                history.add("key " + key + ", namespace " + namespace + ": " + wanted);
                assertThat(got)
                        .as(
                                "%s %s, replay with -Dstrata.seed=%d, operation %d after %s",
                                regime, script, seed, i, lastOf(history))
                        .isEqualTo(wanted);
            }
            hashmap.dispose();
        }
    }

    private static List<String> lastOf(List<String> history) {
        return history.subList(Math.max(0, history.size() - 30), history.size());
    }

    private static AbstractKeyedStateBackend<Integer> hashmap(MockEnvironment environment)
            throws Exception {
        return (AbstractKeyedStateBackend<Integer>)
                new HashMapStateBackend()
                        .<Integer>createKeyedStateBackend(
                                new KeyedStateBackendParametersImpl<>(
                                        environment,
                                        new JobID(),
                                        "test",
                                        IntSerializer.INSTANCE,
                                        StateHarness.KEY_GROUPS,
                                        KeyGroupRange.of(0, StateHarness.KEY_GROUPS - 1),
                                        environment.getTaskKvStateRegistry(),
                                        TtlTimeProvider.DEFAULT,
                                        new UnregisteredMetricsGroup(),
                                        List.of(),
                                        new CloseableRegistry()));
    }
}
