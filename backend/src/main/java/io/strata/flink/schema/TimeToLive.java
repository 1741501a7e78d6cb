/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.schema;

import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.ListSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.MapSerializerSnapshot;
import org.apache.flink.runtime.state.ttl.TtlAwareSerializerSnapshot;
import org.apache.flink.runtime.state.ttl.TtlStateFactory.TtlSerializerSnapshot;

/**
 * Finds Flink's time to live in the snapshots of state serializers: {@code TtlSerializer} around
 * the value, a list's elements or a map's values, and since Flink 2.2 {@code TtlAwareSerializer}
 * around that or around the plain one.
 */
public final class TimeToLive {

    private TimeToLive() {}

    /** Tells whether the values of a state, a list's elements or a map's values have times. */
    public static boolean isIn(TypeSerializerSnapshot<?> state) {
        TypeSerializerSnapshot<?> outer = unwrap(state);
        if (outer instanceof ListSerializerSnapshot<?> list) {
            return unwrap(list.getElementSerializerSnapshot()) instanceof TtlSerializerSnapshot;
        }
        if (outer instanceof MapSerializerSnapshot<?, ?> map) {
            return unwrap(map.getValueSerializerSnapshot()) instanceof TtlSerializerSnapshot;
        }
        return outer instanceof TtlSerializerSnapshot;
    }

    private static TypeSerializerSnapshot<?> unwrap(TypeSerializerSnapshot<?> snapshot) {
        return snapshot instanceof TtlAwareSerializerSnapshot<?> aware
                ? aware.getOrinalTypeSerializerSnapshot()
                : snapshot;
    }
}
