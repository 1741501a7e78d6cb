/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.hot.HotBytes;
import io.strata.flink.hot.ObjectGraphs;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The objects of the hot tier of a backend, walked over by JOL. */
final class HotGraph {

    private HotGraph() {}

    /** Returns the heap bytes of all that hot tables hold, and of what flushes in flight hold. */
    static long measuredBytes(StrataKeyedStateBackend<?> backend) {
        Object store = field(backend, "store");
        List<Object> roots = new ArrayList<>();
        for (Object table : ((Map<?, ?>) field(store, "tables")).values()) {
            roots.add(field(table, "hot"));
        }
        for (Object job : (Iterable<?>) field(field(store, "flushes"), "pending")) {
            for (Object batch : (Collection<?>) field(job, "batches")) {
                roots.add(entries(batch));
            }
        }
        return ObjectGraphs.bytes(roots.toArray());
    }

    /** Returns what the ledger says at this moment. */
    static long ledgerBytes(StrataKeyedStateBackend<?> backend) {
        Object hotBytes = field(field(backend, "store"), "hotBytes");
        return ((HotBytes) hotBytes).bytes();
    }

    private static Object entries(Object batch) {
        return batch.getClass().getSimpleName().equals("MapEntryFlush")
                ? field(batch, "slots")
                : field(batch, "entries");
    }

    private static Object field(Object owner, String name) {
        for (Class<?> type = owner.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return field.get(owner);
            } catch (NoSuchFieldException e) {
                // one further up
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
        throw new AssertionError("No field " + name + " in " + owner.getClass());
    }
}
