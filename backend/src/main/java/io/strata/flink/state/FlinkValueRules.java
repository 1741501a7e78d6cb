/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.compaction.ValueConverter;
import io.strata.flink.compaction.ValueRules;
import io.strata.flink.schema.AvroReaders;
import io.strata.flink.schema.PlainSerializers;
import io.strata.flink.schema.SchemaReaders;
import io.strata.flink.ttl.EventTimeClock;
import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** What the bytes of a state's values mean, by Flink's serializers. Any thread may ask. */
public final class FlinkValueRules implements ValueRules {

    private final StateDescriptor.Type kind;
    private final SchemaReaders schemas;
    @Nullable private final EventTimeClock eventTime;

    /**
     * Creates the rules of a state.
     *
     * @param kind of the state
     * @param eventTime the clock of state with a time to live; null when that is the machine's, or
     *     when timestamps are kept as they are
     */
    public FlinkValueRules(
            StateDescriptor.Type kind, SchemaReaders schemas, @Nullable EventTimeClock eventTime) {
        this.kind = kind;
        this.schemas = schemas;
        this.eventTime = eventTime;
    }

    @Override
    public long schemaId() {
        return schemas.currentId();
    }

    @Override
    public boolean keepsTimestamps(long writtenId) {
        return schemas.keepsTimestamps(writtenId);
    }

    @Override
    @SuppressWarnings("unchecked") // of what the records of one state hold
    public ValueConverter converter(long writtenId) throws IOException {
        SchemaReaders.Reader reader = schemas.reader(writtenId);
        if (reader == null) {
            return null;
        }
        TypeSerializer<Object> written =
                (TypeSerializer<Object>)
                        AvroReaders.reading(
                                PlainSerializers.ofRecords(reader.written()),
                                PlainSerializers.ofRecords(reader.present()));
        TypeSerializer<Object> present =
                (TypeSerializer<Object>) PlainSerializers.ofRecords(reader.present());
        TtlChange change =
                TtlChange.of(
                        PlainSerializers.hasTimeToLive(reader.written()),
                        PlainSerializers.hasTimeToLive(reader.present()),
                        reader.ttlSince());
        ClassLoader loader = schemas.userClassLoader();
        return switch (kind) {
            case LIST ->
                    new FlinkElementConverter(
                            new FlinkElementCodec<>(written, eventTime),
                            new FlinkElementCodec<>(present, eventTime),
                            change,
                            loader);
            case MAP ->
                    new FlinkValueConverter(
                            new FlinkMapValueCodec<>(written, eventTime),
                            new FlinkMapValueCodec<>(present, eventTime),
                            change,
                            loader);
            default ->
                    new FlinkValueConverter(
                            new FlinkValueCodec<>(written, eventTime),
                            new FlinkValueCodec<>(present, eventTime),
                            change,
                            loader);
        };
    }
}
