/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.heap.CopyOnWriteStateMap;
import org.apache.flink.runtime.state.heap.StateMap;

/**
 * Compares {@link HotTable} with the map behind Flink's {@code hashmap} backend, in one JVM and
 * alternating: nanoseconds an operation on random Long keys with 100-byte values, the median of the
 * rounds. Arguments: number of keys, operations a round, rounds.
 */
final class HotTableSpeed {

    private static final int VALUE_BYTES = 100;
    private static final int HEAP_BYTES = 120;
    private static final String NAMESPACE = "namespace";

    private final int keys;
    private final int operations;
    private final SplittableRandom random = new SplittableRandom(42);
    private final EpochClock clock = new EpochClock();
    private final HotTable<Long, String> hot = new HotTable<>(clock, new HotBytes());
    private final StateMap<Long, String, byte[]> flink = flinkMap();
    private long sink;

    private HotTableSpeed(int keys, int operations) {
        this.keys = keys;
        this.operations = operations;
    }

    public static void main(String[] args) {
        int keys = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
        int operations = args.length > 1 ? Integer.parseInt(args[1]) : 2_000_000;
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 9;
        HotTableSpeed speed = new HotTableSpeed(keys, operations);
        speed.fill();
        speed.compare("get", rounds, speed::flinkGet, speed::hotGet);
        speed.compare("get+update", rounds, speed::flinkUpdate, speed::hotUpdate);
        speed.seal();
        speed.compare("get, all clean", rounds, speed::flinkGet, speed::hotGet);
        System.out.println("(checksum " + speed.sink + ")");
    }

    @SuppressWarnings("unchecked")
    private static StateMap<Long, String, byte[]> flinkMap() {
        try {
            Constructor<?> constructor =
                    CopyOnWriteStateMap.class.getDeclaredConstructor(TypeSerializer.class);
            constructor.setAccessible(true);
            return (StateMap<Long, String, byte[]>)
                    constructor.newInstance(BytePrimitiveArraySerializer.INSTANCE);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private void fill() {
        for (long key = 0; key < keys; key++) {
            flink.put(key, NAMESPACE, new byte[VALUE_BYTES]);
        }
        for (long key = 0; key < keys; key++) {
            hot.write(key, NAMESPACE, new byte[VALUE_BYTES], HEAP_BYTES, true);
        }
    }

    private void seal() {
        int epoch = clock.seal();
        hot.seal();
        clock.installed(epoch);
    }

    private void compare(String what, int rounds, LongSupplier theirs, LongSupplier ours) {
        long[] flinkNanos = new long[rounds];
        long[] hotNanos = new long[rounds];
        for (int round = -2; round < rounds; round++) {
            long t0 = cpuNanos();
            sink += theirs.getAsLong();
            long t1 = cpuNanos();
            sink += ours.getAsLong();
            long t2 = cpuNanos();
            if (round >= 0) {
                flinkNanos[round] = t1 - t0;
                hotNanos[round] = t2 - t1;
            }
        }
        double flinkMedian = median(flinkNanos) / (double) operations;
        double hotMedian = median(hotNanos) / (double) operations;
        System.out.printf(
                "%,d keys, %-16s hashmap %6.1f ns  hot %6.1f ns  ratio %.2f%n",
                keys, what, flinkMedian, hotMedian, flinkMedian / hotMedian);
    }

    /** CPU time of this thread: other load on the machine disturbs it less. */
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long median(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private long flinkGet() {
        long sum = 0;
        for (int i = 0; i < operations; i++) {
            sum += flink.get((long) random.nextInt(keys), NAMESPACE)[0];
        }
        return sum;
    }

    private long hotGet() {
        long sum = 0;
        for (int i = 0; i < operations; i++) {
            HotEntry<Long, String> entry = hot.find((long) random.nextInt(keys), NAMESPACE);
            entry = hot.thaw(entry, HotTableSpeed::copy);
            sum += ((byte[]) entry.value())[0];
        }
        return sum;
    }

    private long flinkUpdate() {
        long sum = 0;
        for (int i = 0; i < operations; i++) {
            Long key = (long) random.nextInt(keys);
            byte[] value = flink.get(key, NAMESPACE);
            sum += value[0];
            flink.put(key, NAMESPACE, next(value));
        }
        return sum;
    }

    private long hotUpdate() {
        long sum = 0;
        for (int i = 0; i < operations; i++) {
            Long key = (long) random.nextInt(keys);
            HotEntry<Long, String> entry = hot.find(key, NAMESPACE);
            entry = hot.thaw(entry, HotTableSpeed::copy);
            byte[] value = (byte[]) entry.value();
            sum += value[0];
            hot.write(key, NAMESPACE, next(value), HEAP_BYTES, false);
        }
        return sum;
    }

    private static byte[] next(byte[] value) {
        byte[] next = new byte[VALUE_BYTES];
        next[0] = (byte) (value[0] + 1);
        return next;
    }

    private static Object copy(Object value) {
        return ((byte[]) value).clone();
    }
}
