/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.function.IntFunction;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;

/** The types of keys; a key is made from its number. */
enum KeyType {
    LONG(number -> number * 0x9E3779B97F4A7C15L, LongSerializer.INSTANCE),
    TEXT(number -> "k".repeat(number % 5) + number, StringSerializer.INSTANCE);

    private final IntFunction<Object> keys;
    private final TypeSerializer<?> serializer;

    KeyType(IntFunction<Object> keys, TypeSerializer<?> serializer) {
        this.keys = keys;
        this.serializer = serializer;
    }

    Object key(int number) {
        return keys.apply(number);
    }

    @SuppressWarnings("unchecked")
    TypeSerializer<Object> serializer() {
        return (TypeSerializer<Object>) serializer;
    }
}
