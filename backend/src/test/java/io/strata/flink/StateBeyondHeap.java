/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;

/**
 * Writes and reads back more state than its JVM has heap, with sizes that are estimated too small.
 * Run by {@link WrongEstimatesTest} in a JVM of its own.
 */
final class StateBeyondHeap {

    private static final int VALUE_BYTES = 2000;

    private StateBeyondHeap() {}

    /** Arguments: local directory, how many times too small, state in MiB. */
    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws Exception {
        StrataStateBackend backend =
                new StrataStateBackend()
                        .set(StrataOptions.DEBUG_ESTIMATE_DIVISOR, Integer.valueOf(args[1]));
        int keys = (int) ((Long.parseLong(args[2]) << 20) / VALUE_BYTES);
        try (TestTasks tasks = new TestTasks(backend, Path.of(args[0]))) {
            StrataKeyedStateBackend<Integer> state = tasks.start().backend();
            ValueState<byte[]> values =
                    state.getPartitionedState(
                            VoidNamespace.INSTANCE,
                            VoidNamespaceSerializer.INSTANCE,
                            new ValueStateDescriptor<>(
                                    "values", BytePrimitiveArraySerializer.INSTANCE));
            for (int key = 0; key < keys; key++) {
                state.setCurrentKey(key);
                values.update(value(key));
            }
            for (int key = 0; key < keys; key++) {
                state.setCurrentKey(key);
                if (ByteBuffer.wrap(values.value()).getInt(key % (VALUE_BYTES - 4)) != key) {
                    throw new AssertionError("Wrong value of key " + key);
                }
            }
            System.out.println(keys + " values are right; " + state.stats());
            System.out.println("shrinks: " + state.heapBudgetShrinks());
        }
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            System.out.printf(
                    "%s: %d collections, %d ms%n",
                    collector.getName(),
                    collector.getCollectionCount(),
                    collector.getCollectionTime());
        }
    }

    private static byte[] value(int key) {
        byte[] value = new byte[VALUE_BYTES];
        ByteBuffer.wrap(value).putInt(key % (VALUE_BYTES - 4), key);
        return value;
    }
}
