/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import io.strata.flink.model.ElementType.Counter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.functions.ReduceFunction;
import org.apache.flink.api.common.state.AggregatingStateDescriptor;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReducingStateDescriptor;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * One state of the job under test.
 *
 * @param userKeys type of the user keys of a map, else null
 * @param values type of the value, list element, map value or accumulator
 */
record StateSpec(
        String name,
        Kind kind,
        NamespaceType namespaces,
        ElementType userKeys,
        ElementType values) {

    enum Kind {
        VALUE,
        LIST,
        MAP,
        REDUCING,
        AGGREGATING
    }

    /** Every kind of state with every kind of namespace, mutable and immutable values. */
    static final List<StateSpec> ALL =
            List.of(
                    of("value-long", Kind.VALUE, NamespaceType.VOID, ElementType.LONG),
                    of("value-string", Kind.VALUE, NamespaceType.WINDOW, ElementType.STRING),
                    of("value-bytes", Kind.VALUE, NamespaceType.NUMBER, ElementType.BYTES),
                    of("value-counter", Kind.VALUE, NamespaceType.VOID, ElementType.COUNTER),
                    of("value-longs", Kind.VALUE, NamespaceType.TEXT, ElementType.LONGS),
                    of("list-long", Kind.LIST, NamespaceType.WINDOW, ElementType.LONG),
                    of("list-string", Kind.LIST, NamespaceType.VOID, ElementType.STRING),
                    of("list-counter", Kind.LIST, NamespaceType.TEXT, ElementType.COUNTER),
                    map("map-long", NamespaceType.VOID, ElementType.LONG, ElementType.STRING),
                    map("map-string", NamespaceType.WINDOW, ElementType.STRING, ElementType.LONG),
                    map("map-counter", NamespaceType.TEXT, ElementType.STRING, ElementType.COUNTER),
                    map("map-bytes", NamespaceType.NUMBER, ElementType.LONG, ElementType.BYTES),
                    of("reducing-long", Kind.REDUCING, NamespaceType.WINDOW, ElementType.LONG),
                    of("reducing-counter", Kind.REDUCING, NamespaceType.TEXT, ElementType.COUNTER),
                    of("reducing-string", Kind.REDUCING, NamespaceType.VOID, ElementType.STRING),
                    of("aggregating", Kind.AGGREGATING, NamespaceType.WINDOW, ElementType.LONGS),
                    of("aggregating-long", Kind.AGGREGATING, NamespaceType.VOID, ElementType.LONG));

    private static StateSpec of(String name, Kind kind, NamespaceType ns, ElementType values) {
        return new StateSpec(name, kind, ns, null, values);
    }

    private static StateSpec map(
            String name, NamespaceType ns, ElementType userKeys, ElementType values) {
        return new StateSpec(name, Kind.MAP, ns, userKeys, values);
    }

    /** Returns a new descriptor; descriptors are not shared between backends. */
    StateDescriptor<?, ?> descriptor() {
        @SuppressWarnings("unchecked")
        TypeSerializer<Object> serializer = (TypeSerializer<Object>) values.serializer();
        return switch (kind) {
            case VALUE -> valueDescriptor(serializer);
            case LIST -> new ListStateDescriptor<>(name, serializer);
            case MAP -> new MapStateDescriptor<>(name, userKeys.serializer(), serializer);
            case REDUCING -> new ReducingStateDescriptor<>(name, reducer(), serializer);
            case AGGREGATING ->
                    new AggregatingStateDescriptor<>(name, new Aggregator(values), serializer);
        };
    }

    /** States of strings have a default value, to see that nobody takes it for a stored one. */
    @SuppressWarnings("deprecation")
    private StateDescriptor<?, ?> valueDescriptor(TypeSerializer<Object> serializer) {
        return values == ElementType.STRING
                ? new ValueStateDescriptor<>(name, serializer, "the default")
                : new ValueStateDescriptor<>(name, serializer);
    }

    /** Commutative where namespaces are merged, since backends merge them in different orders. */
    private ReduceFunction<Object> reducer() {
        return switch (values) {
            case LONG -> (left, right) -> (Long) left + (Long) right;
            case COUNTER ->
                    (left, right) -> {
                        ((Counter) left).total += ((Counter) right).total;
                        ((Counter) left).label = "";
                        return left;
                    };
            default -> (left, right) -> values.mutate(left, ((String) right).length());
        };
    }

    boolean mergesNamespaces() {
        return namespaces != NamespaceType.VOID && kind != Kind.VALUE && kind != Kind.MAP;
    }

    /**
     * Sums, and for lists keeps the largest numbers in one accumulator that it changes in place.
     */
    private record Aggregator(ElementType type) implements AggregateFunction<Long, Object, String> {

        @Override
        public Object createAccumulator() {
            return type == ElementType.LONG ? (Object) 0L : new ArrayList<Long>();
        }

        @Override
        public Object add(Long value, Object accumulator) {
            return merge(accumulator, type == ElementType.LONG ? (Object) value : List.of(value));
        }

        @Override
        public String getResult(Object accumulator) {
            return accumulator.toString();
        }

        @Override
        @SuppressWarnings("unchecked")
        public Object merge(Object left, Object right) {
            if (type == ElementType.LONG) {
                return (Long) left + (Long) right;
            }
            List<Long> longs = (List<Long>) left;
            longs.addAll((List<Long>) right);
            longs.sort(Collections.reverseOrder());
            if (longs.size() > 12) {
                longs.subList(12, longs.size()).clear();
            }
            return longs;
        }
    }
}
