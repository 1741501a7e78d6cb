/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.ForkedJvm;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.hot.EntrySizer;
import io.strata.flink.hot.ObjectGraphs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Estimated sizes of values against the graph of their objects, as JOL measures it. */
class ValueSizesTest {

    private static final Percentage TOLERANCE = Percentage.withPercentage(25);
    private static final int VALUES = Integer.getInteger("strata.test.sized.values", 300);
    private static final long SEED = Long.getLong("strata.test.seed", 7);

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final EntrySizer sizer = new EntrySizer(1);

    static List<SizedKind<?>> kinds() {
        return SizedKind.all();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    <T> void updatedValues(SizedKind<T> kind) {
        Object[] values = new Object[VALUES];
        long estimated = 0;
        for (int i = 0; i < VALUES; i++) {
            values[i] = kind.values().apply(random);
            estimated += sizer.sizeBytes(i, "namespace", values[i]);
        }
        assertClose(kind.name() + ", updated", estimated, values);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    <T> void loadedValues(SizedKind<T> kind) throws IOException {
        FlinkValueCodec<T> codec = new FlinkValueCodec<>(kind.serializer(), null);
        ByteSlice bytes = new ByteSlice();
        Object[] values = new Object[VALUES];
        long estimated = 0;
        for (int i = 0; i < VALUES; i++) {
            codec.encode(kind.values().apply(random), bytes);
            int length = bytes.length;
            T value = codec.decode(bytes);
            values[i] = value;
            estimated += sizer.decodedBytes(i, "namespace", value, length);
        }
        assertClose(kind.name() + ", loaded", estimated, values);
    }

    @Test
    void growingLists() {
        Map<Integer, List<String>> lists = new HashMap<>();
        Map<Integer, Long> sizes = new HashMap<>();
        for (int round = 1; round <= 3; round++) {
            for (int i = 0; i < 10 * VALUES; i++) {
                int key = random.nextInt(VALUES / 10);
                List<String> list = lists.computeIfAbsent(key, k -> new ArrayList<>());
                list.add(SizedKind.text(random, 20));
                sizes.put(key, sizer.sizeBytes(key, "namespace", list));
            }
            assertClose("growing lists, " + round, sum(sizes), lists.values().toArray());
        }
    }

    @Test
    void growingMaps() {
        Map<Integer, Map<Long, SizedKind.Order>> maps = new HashMap<>();
        Map<Integer, Long> sizes = new HashMap<>();
        for (int round = 1; round <= 3; round++) {
            for (int i = 0; i < 5 * VALUES; i++) {
                int key = random.nextInt(VALUES / 10);
                Map<Long, SizedKind.Order> map = maps.computeIfAbsent(key, k -> new HashMap<>());
                map.put(random.nextLong(), SizedKind.order(random));
                sizes.put(key, sizer.sizeBytes(key, "namespace", map));
            }
            assertClose("growing maps, " + round, sum(sizes), maps.values().toArray());
        }
    }

    /** What several values hold counts once, however large it is. */
    @Test
    void sharedObjectsCountOnce() {
        byte[] model = new byte[100_000];
        Object[] values = new Object[VALUES];
        long estimated = 0;
        for (int i = 0; i < VALUES; i++) {
            values[i] = List.of(model, SizedKind.text(random, 100));
            estimated += sizer.sizeBytes(i, "namespace", values[i]);
        }
        assertClose("sharing", estimated, values);
    }

    /** Without compressed references; and in both cases without access to fields of the JDK. */
    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseCompressedOops", "-XX:-UseCompressedOops"})
    void withOtherLayouts(String option, @TempDir Path scratch) throws Exception {
        ForkedJvm.Result result =
                ForkedJvm.run(
                        scratch,
                        OtherLayout.class,
                        List.of(
                                "-Xmx512m",
                                option,
                                "-XX:TieredStopAtLevel=1",
                                "-Dstrata.test.sized.values=100"),
                        List.of());
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    /** The tests of this class and those of the nodes, in a JVM of its own. */
    static final class OtherLayout {
        public static void main(String[] args) throws IOException {
            ObjectGraphs.checkNodeSizes();
            for (SizedKind<?> kind : kinds()) {
                new ValueSizesTest().updatedValues(kind);
                new ValueSizesTest().loadedValues(kind);
            }
            new ValueSizesTest().growingLists();
            new ValueSizesTest().growingMaps();
            new ValueSizesTest().sharedObjectsCountOnce();
        }
    }

    private static long sum(Map<Integer, Long> sizes) {
        return sizes.values().stream().mapToLong(Long::longValue).sum();
    }

    private static void assertClose(String what, long estimated, Object[] values) {
        long array = ObjectGraphs.bytes((Object) new Object[values.length]);
        long measured = ObjectGraphs.bytes((Object) values) - array;
        assertThat(estimated).as(what).isCloseTo(measured, TOLERANCE);
    }
}
