/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;

/** The types of values that the model's states hold; a value is made from a number, its recipe. */
enum ElementType {
    LONG {
        @Override
        Object create(long recipe) {
            return recipe;
        }

        @Override
        Object mutate(Object value, long recipe) {
            return (Long) value * 31 + recipe;
        }

        @Override
        TypeSerializer<?> serializer() {
            return LongSerializer.INSTANCE;
        }
    },
    STRING {
        @Override
        Object create(long recipe) {
            return text(recipe, size(recipe, 40, 300, 5_000));
        }

        @Override
        Object mutate(Object value, long recipe) {
            String text = value + text(recipe, 3);
            return text.substring(Math.max(0, text.length() - 200));
        }

        @Override
        TypeSerializer<?> serializer() {
            return StringSerializer.INSTANCE;
        }
    },
    BYTES {
        @Override
        Object create(long recipe) {
            byte[] bytes = new byte[size(recipe, 120, 60, 12_000)];
            new Random(recipe).nextBytes(bytes);
            return bytes;
        }

        @Override
        Object mutate(Object value, long recipe) {
            byte[] bytes = (byte[]) value;
            if (bytes.length > 0) {
                bytes[(int) Math.floorMod(recipe, (long) bytes.length)] ^= 0x55;
            }
            return bytes;
        }

        @Override
        TypeSerializer<?> serializer() {
            return BytePrimitiveArraySerializer.INSTANCE;
        }
    },
    COUNTER {
        @Override
        Object create(long recipe) {
            Counter counter = new Counter();
            counter.total = recipe;
            counter.label = text(recipe, (int) (recipe & 15));
            return counter;
        }

        @Override
        Object mutate(Object value, long recipe) {
            Counter counter = (Counter) value;
            counter.total += recipe;
            counter.label = text(recipe, (int) (recipe & 7));
            return counter;
        }

        @Override
        TypeSerializer<?> serializer() {
            return TypeInformation.of(Counter.class).createSerializer(new SerializerConfigImpl());
        }
    },
    LONGS {
        @Override
        Object create(long recipe) {
            List<Long> longs = new ArrayList<>();
            for (int i = 0; i < 1 + (recipe & 7); i++) {
                longs.add(recipe + i);
            }
            return longs;
        }

        @Override
        @SuppressWarnings("unchecked")
        Object mutate(Object value, long recipe) {
            List<Long> longs = (List<Long>) value;
            longs.add(recipe);
            if (longs.size() > 20) {
                longs.subList(0, 10).clear();
            }
            return longs;
        }

        @Override
        TypeSerializer<?> serializer() {
            return new ListSerializer<>(LongSerializer.INSTANCE);
        }
    };

    /** Returns a new value; equal recipes give equal values. */
    abstract Object create(long recipe);

    /** Returns the changed value: the same object where the type is mutable. */
    abstract Object mutate(Object value, long recipe);

    /** Returns a serializer that nobody else uses, unless it is stateless. */
    abstract TypeSerializer<?> serializer();

    /** One value of so many is larger than a page of 4 KiB. */
    private static int size(long recipe, int usual, int oneOf, int large) {
        int draw = (int) Math.floorMod((recipe * 0x9E3779B97F4A7C15L) >>> 17, (long) oneOf);
        return draw == 0 ? large : draw % (usual + 1);
    }

    private static String text(long recipe, int length) {
        char[] text = new char[length];
        for (int i = 0; i < length; i++) {
            text[i] = (char) ('a' + Math.floorMod(recipe + i * 7L, 26L));
        }
        return new String(text);
    }

    /** A mutable value of the kind that users write: a POJO. */
    public static final class Counter {
        public long total;
        public String label = "";

        @Override
        public boolean equals(Object other) {
            return other instanceof Counter counter
                    && counter.total == total
                    && counter.label.equals(label);
        }

        @Override
        public int hashCode() {
            return Objects.hash(total, label);
        }

        @Override
        public String toString() {
            return total + ":" + label;
        }
    }
}
