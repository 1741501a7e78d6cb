/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import java.util.Objects;
import java.util.function.IntFunction;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;

/** Types of keys, of fixed and of variable length; a key is made from its number. */
enum WrittenKeys {
    STRING(Types.STRING, number -> "k".repeat(number % 5) + number),
    LONG(Types.LONG, number -> number * 0x9E3779B97F4A7C15L),
    TUPLE(
            Types.TUPLE(Types.STRING, Types.INT),
            number -> Tuple2.of("t".repeat(number % 3), number)),
    POJO(TypeInformation.of(Place.class), Place::of);

    private final TypeInformation<?> type;
    private final IntFunction<Object> keys;

    WrittenKeys(TypeInformation<?> type, IntFunction<Object> keys) {
        this.type = type;
        this.keys = keys;
    }

    Object key(int number) {
        return keys.apply(number);
    }

    @SuppressWarnings("unchecked")
    TypeSerializer<Object> serializer() {
        return (TypeSerializer<Object>) type.createSerializer(new SerializerConfigImpl());
    }

    /** A key of the kind that users write. */
    public static final class Place {
        public String name;
        public long number;

        private static Place of(int number) {
            Place place = new Place();
            place.name = "p".repeat(number % 4);
            place.number = number;
            return place;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Place place
                    && place.number == number
                    && Objects.equals(place.name, name);
        }

        @Override
        public int hashCode() {
            return Objects.hash(name, number);
        }
    }
}
