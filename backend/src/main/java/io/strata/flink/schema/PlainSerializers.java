/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.schema;

import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.runtime.state.ttl.TtlAwareSerializer;
import org.apache.flink.runtime.state.ttl.TtlStateFactory.TtlSerializer;

/**
 * What Flink wraps around the serializers of states: for the time to live, and, while it compares,
 * so that states with and without one can be compared. The latter changes no byte.
 */
public final class PlainSerializers {

    private PlainSerializers() {}

    /** Returns a state's serializer, of lists and maps too, without wrappers for comparison. */
    public static TypeSerializer<?> plain(TypeSerializer<?> serializer) {
        TypeSerializer<?> outer = unwrap(serializer);
        if (outer instanceof ListSerializer<?> list) {
            TypeSerializer<?> element = list.getElementSerializer();
            return element instanceof TtlAwareSerializer
                    ? new ListSerializer<>(unwrap(element))
                    : list;
        }
        if (outer instanceof MapSerializer<?, ?> map) {
            TypeSerializer<?> key = map.getKeySerializer();
            TypeSerializer<?> value = map.getValueSerializer();
            return key instanceof TtlAwareSerializer || value instanceof TtlAwareSerializer
                    ? new MapSerializer<>(unwrap(key), unwrap(value))
                    : map;
        }
        return outer;
    }

    private static TypeSerializer<?> unwrap(TypeSerializer<?> serializer) {
        return serializer instanceof TtlAwareSerializer<?, ?> aware
                ? aware.getOriginalTypeSerializer()
                : serializer;
    }

    /** Returns the serializer of what one record holds: of a list's elements, of a map's values. */
    public static TypeSerializer<?> ofRecords(TypeSerializer<?> plain) {
        if (plain instanceof ListSerializer<?> list) {
            return list.getElementSerializer();
        }
        return plain instanceof MapSerializer<?, ?> map ? map.getValueSerializer() : plain;
    }

    /** Tells whether a state has a time to live. */
    public static boolean hasTimeToLive(TypeSerializer<?> plain) {
        return TtlSerializer.isTtlStateSerializer(plain);
    }
}
