/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.compaction.ValueRules;
import io.strata.flink.format.state.MapValueFormat;
import io.strata.flink.ttl.EventTimeClock;
import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Values of map entries, which may be null, through a Flink serializer.
 *
 * @param <V> the value
 */
final class FlinkMapValueCodec<V> extends FlinkValueCodec<V> {

    FlinkMapValueCodec(TypeSerializer<V> serializer, @Nullable EventTimeClock eventTime) {
        super(serializer, eventTime);
    }

    FlinkMapValueCodec(TypeSerializer<V> serializer, ValueTime time, ValueRules rules) {
        super(serializer, time, rules);
    }

    @Override
    Expiry expiry(TimeToLive lifetime) {
        return new TtlExpiry(lifetime, true);
    }

    @Override
    void write(V value, DataOutputSerializer target) throws IOException {
        MapValueFormat.write(timed(value), serializer(), target);
    }

    @Override
    V read(DataInputDeserializer source) throws IOException {
        return timed(MapValueFormat.read(source, serializer()));
    }

    @Override
    public V copy(V value) {
        return value == null ? null : super.copy(value);
    }

    @Override
    public int fixedBytes() {
        return -1; // a null takes one byte
    }

    @Override
    public FlinkMapValueCodec<V> duplicate() {
        return new FlinkMapValueCodec<>(serializer().duplicate(), time(), rules());
    }
}
