/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

import java.nio.file.Path;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.util.TemporaryClassLoaderContext;

/** A generic type that only a type hint tells: a tuple of a text and a POJO, which changes. */
final class HintKind implements Kind {

    private final PojoKind orders;

    HintKind(Path directory) {
        this.orders = new PojoKind(directory);
    }

    @Override
    public ClassLoader classes(int version) {
        return orders.classes(version);
    }

    @Override
    @SuppressWarnings("unchecked")
    public TypeSerializer<Object> serializer(int version) throws Exception {
        try (TemporaryClassLoaderContext ignored =
                TemporaryClassLoaderContext.of(classes(version))) {
            TypeHint<Object> hint =
                    (TypeHint<Object>)
                            classes(version).loadClass("jobs.Hint").getConstructor().newInstance();
            return hint.getTypeInfo().createSerializer(new SerializerConfigImpl());
        }
    }

    @Override
    public Object item(int version, int number) throws Exception {
        return Tuple2.of("hint " + number, orders.item(version, number));
    }

    @Override
    public String view(int version, Object item) throws Exception {
        Tuple2<?, ?> tuple = (Tuple2<?, ?>) item;
        return tuple.f0 + ": " + orders.view(version, tuple.f1);
    }

    @Override
    public String expected(int written, int reader, int number) {
        return "hint " + number + ": " + orders.expected(written, reader, number);
    }
}
