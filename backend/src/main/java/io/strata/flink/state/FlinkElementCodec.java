/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.compaction.ValueRules;
import io.strata.flink.engine.ElementCodec;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.state.ListFormat;
import io.strata.flink.ttl.EventTimeClock;
import java.io.EOFException;
import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;

/**
 * List elements through a Flink serializer.
 *
 * @param <T> the element
 */
final class FlinkElementCodec<T> extends FlinkValueCodec<T> implements ElementCodec<T> {

    FlinkElementCodec(TypeSerializer<T> serializer, @Nullable EventTimeClock eventTime) {
        super(serializer, eventTime);
    }

    FlinkElementCodec(TypeSerializer<T> serializer, ValueTime time, ValueRules rules) {
        super(serializer, time, rules);
    }

    @Override
    Expiry expiry(TimeToLive lifetime) {
        return new TtlListExpiry(lifetime, duplicate());
    }

    @Override
    public T decodeNext(ByteSlice in) throws IOException {
        DataInputDeserializer source = open(in);
        T element;
        try {
            element = timed(serializer().deserialize(source));
        } catch (IOException | RuntimeException e) {
            // Serializers differ in what they throw when bytes run out; the caller tries again with
            // more bytes, and reports this failure when there are none.
            renewSource();
            EOFException end = new EOFException("List element ends early: " + e.getMessage());
            end.initCause(e);
            throw end;
        }
        if (source.available() > 0) {
            ListFormat.readDelimiter(source);
        }
        int end = in.offset + in.length;
        in.set(in.bytes, source.getPosition(), end - source.getPosition());
        return element;
    }

    @Override
    public FlinkElementCodec<T> duplicate() {
        return new FlinkElementCodec<>(serializer().duplicate(), time(), rules());
    }
}
