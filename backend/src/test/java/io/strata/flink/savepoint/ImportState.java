/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;

/**
 * One state of the jobs that are imported; values are strings, or numbers where they are summed.
 *
 * @param shortUserKeys whether the user keys of a map are numbers instead of strings
 */
record ImportState(
        String name, Kind kind, Namespaces namespaces, boolean shortUserKeys, boolean ttl) {

    static final Duration TIME_TO_LIVE = Duration.ofSeconds(1000);

    enum Kind {
        VALUE,
        LIST,
        MAP,
        REDUCING,
        AGGREGATING
    }

    enum Namespaces {
        VOID(number -> VoidNamespace.INSTANCE, () -> VoidNamespaceSerializer.INSTANCE),
        WINDOW(number -> new TimeWindow(number, number + 10), TimeWindow.Serializer::new),
        /** Of variable length, as string keys: the boundary between the two is in the suffixes. */
        TEXT(number -> "n".repeat(number), () -> StringSerializer.INSTANCE);

        private final IntFunction<Object> namespaces;
        private final Supplier<TypeSerializer<?>> serializers;

        Namespaces(IntFunction<Object> namespaces, Supplier<TypeSerializer<?>> serializers) {
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

    /** Returns every kind with every kind of namespace, with and without time to live. */
    static List<ImportState> all() {
        List<ImportState> all = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (Namespaces namespaces : Namespaces.values()) {
                boolean shortUserKeys = namespaces == Namespaces.WINDOW;
                String name = (kind + "-" + namespaces).toLowerCase(Locale.ROOT);
                all.add(new ImportState(name, kind, namespaces, shortUserKeys, false));
                all.add(new ImportState(name + "-ttl", kind, namespaces, !shortUserKeys, true));
            }
        }
        return all;
    }

    Object userKey(int number) {
        return shortUserKeys ? (Object) number : "user-" + number;
    }

    StateDescriptor<?, ?> descriptor() {
        StringSerializer text = StringSerializer.INSTANCE;
        StateDescriptor<?, ?> descriptor =
                switch (kind) {
                    case VALUE -> new ValueStateDescriptor<>(name, text);
                    case LIST -> new ListStateDescriptor<>(name, text);
                    case MAP ->
                            shortUserKeys
                                    ? new MapStateDescriptor<>(name, IntSerializer.INSTANCE, text)
                                    : new MapStateDescriptor<>(name, text, text);
                    case REDUCING ->
                            new ReducingStateDescriptor<>(name, Long::sum, LongSerializer.INSTANCE);
                    case AGGREGATING ->
                            new AggregatingStateDescriptor<>(
                                    name, new Sum(), LongSerializer.INSTANCE);
                };
        if (ttl) {
            descriptor.enableTimeToLive(
                    StateTtlConfig.newBuilder(TIME_TO_LIVE).cleanupFullSnapshot().build());
        }
        return descriptor;
    }

    /** A sum whose accumulator is the sum. */
    private static final class Sum implements AggregateFunction<Long, Long, Long> {

        private static final long serialVersionUID = 1L;

        @Override
        public Long createAccumulator() {
            return 0L;
        }

        @Override
        public Long add(Long value, Long accumulator) {
            return value + accumulator;
        }

        @Override
        public Long getResult(Long accumulator) {
            return accumulator;
        }

        @Override
        public Long merge(Long a, Long b) {
            return a + b;
        }
    }
}
