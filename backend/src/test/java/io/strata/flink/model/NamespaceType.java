/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/** The types of namespaces; a namespace is made from its number. */
enum NamespaceType {
    VOID(number -> VoidNamespace.INSTANCE, () -> VoidNamespaceSerializer.INSTANCE),
    WINDOW(number -> new TimeWindow(number * 10L, number * 10L + 10), TimeWindow.Serializer::new),
    TEXT(number -> "namespace-" + "x".repeat(number) + number, () -> StringSerializer.INSTANCE),
    NUMBER(number -> number * 1_000_003L, () -> LongSerializer.INSTANCE);

    private final IntFunction<Object> namespaces;
    private final Supplier<TypeSerializer<?>> serializers;

    NamespaceType(IntFunction<Object> namespaces, Supplier<TypeSerializer<?>> serializers) {
        this.namespaces = namespaces;
        this.serializers = serializers;
    }

    Object namespace(int number) {
        return namespaces.apply(number);
    }

    @SuppressWarnings("unchecked")
    TypeSerializer<Object> serializer() {
        return (TypeSerializer<Object>) serializers.get();
    }
}
