/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.MapSerializerSnapshot;
import org.apache.flink.runtime.state.ttl.TtlAwareSerializerSnapshot;
import org.apache.flink.runtime.state.ttl.TtlStateFactory.TtlSerializerSnapshot;

/**
 * Tells whether the values of a map state had a time to live when they were written.
 *
 * <p>Flink wraps the serializer of the map's values: by {@code TtlSerializer} where the state has a
 * time to live, and since 2.2 around that, or around the plain one, by {@code TtlAwareSerializer};
 * the latter also around the whole map.
 */
final class MapTimeToLive {

    private MapTimeToLive() {}

    /** Looks into what a savepoint says about the serializer of a map state. */
    static boolean isIn(TypeSerializerSnapshot<?> mapSerializer) {
        return unwrap(mapSerializer) instanceof MapSerializerSnapshot<?, ?> map
                && unwrap(map.getValueSerializerSnapshot()) instanceof TtlSerializerSnapshot;
    }

    private static TypeSerializerSnapshot<?> unwrap(TypeSerializerSnapshot<?> snapshot) {
        return snapshot instanceof TtlAwareSerializerSnapshot<?> aware
                ? aware.getOrinalTypeSerializerSnapshot()
                : snapshot;
    }
}
