/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.compaction.ValueRules;
import io.strata.flink.engine.ValueCodec;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.state.ValueFormat;
import io.strata.flink.ttl.EventTimeClock;
import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.ttl.TtlValue;

/**
 * Values through a Flink serializer; the subclasses add what lists and maps write around them.
 *
 * @param <V> the value
 */
class FlinkValueCodec<V> implements ValueCodec<V> {

    private static final int INITIAL_BYTES = 128;

    /** A buffer that one large value made larger than this is not kept. */
    private static final int RETAINED_BYTES = 1 << 20;

    private final TypeSerializer<V> serializer;
    private final boolean immutable;
    private final ValueTime time;
    private final ValueRules rules;
    private DataOutputSerializer target = new DataOutputSerializer(INITIAL_BYTES);
    private DataInputDeserializer source = new DataInputDeserializer();

    /**
     * A codec of values that have one schema.
     *
     * @param eventTime the clock of state with a time to live; null when that is the machine's
     */
    FlinkValueCodec(TypeSerializer<V> serializer, @Nullable EventTimeClock eventTime) {
        this(serializer, new ValueTime(eventTime, null), ValueRules.NONE);
    }

    /**
     * A codec of values of which there may be older schemas.
     *
     * @param time what counts as time for the values
     * @param rules what the bytes mean
     */
    FlinkValueCodec(TypeSerializer<V> serializer, ValueTime time, ValueRules rules) {
        this.serializer = serializer;
        this.time = time;
        this.immutable = serializer.isImmutableType();
        this.rules = rules;
    }

    final TypeSerializer<V> serializer() {
        return serializer;
    }

    @Override
    public final void encode(V value, ByteSlice out) throws IOException {
        if (target.getSharedBuffer().length > RETAINED_BYTES) {
            target = new DataOutputSerializer(INITIAL_BYTES);
        }
        target.clear();
        write(value, target);
        out.set(target.getSharedBuffer(), 0, target.length());
    }

    @Override
    public final V decode(ByteSlice in) throws IOException {
        return read(open(in));
    }

    /** Returns the bytes as a serializer reads them, valid until the next call. */
    final DataInputDeserializer open(ByteSlice in) {
        source.setBuffer(in.bytes, in.offset, in.length);
        return source;
    }

    /**
     * Forgets the view after a failed read: serializers that buffer (Kryo) keep what they had read
     * of a view they know, and would begin the next value with it.
     */
    final void renewSource() {
        source = new DataInputDeserializer();
    }

    final ValueTime time() {
        return time;
    }

    @Override
    public final Expiry expiry() {
        return time.timeToLive() == null ? Expiry.NEVER : expiry(time.timeToLive());
    }

    /** Returns a judge of values that live so long. */
    Expiry expiry(TimeToLive lifetime) {
        return new TtlExpiry(lifetime, false);
    }

    /** Fills in the time of a value that was written before event time was first told. */
    @SuppressWarnings("unchecked")
    final V timed(V value) {
        return time.eventTime() != null && value instanceof TtlValue<?> withTime
                ? (V) time.eventTime().timed(withTime)
                : value;
    }

    void write(V value, DataOutputSerializer target) throws IOException {
        ValueFormat.write(timed(value), serializer, target);
    }

    V read(DataInputDeserializer source) throws IOException {
        return timed(ValueFormat.read(source, serializer));
    }

    @Override
    public V copy(V value) {
        return immutable ? value : serializer.copy(value);
    }

    @Override
    public final boolean immutable() {
        return immutable;
    }

    @Override
    public int fixedBytes() {
        int length = serializer.getLength();
        return length > 0 ? length : -1;
    }

    @Override
    public final ValueRules rules() {
        return rules;
    }

    @Override
    public FlinkValueCodec<V> duplicate() {
        return new FlinkValueCodec<>(serializer.duplicate(), time, rules);
    }
}
