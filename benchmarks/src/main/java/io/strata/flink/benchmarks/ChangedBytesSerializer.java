/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Byte arrays in another form than Flink's own: compatible with that one after a migration, as a
 * type with a new field is.
 */
final class ChangedBytesSerializer extends TypeSerializerSingleton<byte[]> {

    static final ChangedBytesSerializer INSTANCE = new ChangedBytesSerializer();

    private static final long serialVersionUID = 1L;
    private static final int MARK = 0x5C;

    private final BytePrimitiveArraySerializer bytes = BytePrimitiveArraySerializer.INSTANCE;

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public byte[] createInstance() {
        return bytes.createInstance();
    }

    @Override
    public byte[] copy(byte[] from) {
        return from.clone();
    }

    @Override
    public byte[] copy(byte[] from, byte[] reuse) {
        return from.clone();
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(byte[] value, DataOutputView target) throws IOException {
        target.writeByte(MARK);
        bytes.serialize(value, target);
    }

    @Override
    public byte[] deserialize(DataInputView source) throws IOException {
        if (source.readByte() != MARK) {
            throw new IOException("a value in another form");
        }
        return bytes.deserialize(source);
    }

    @Override
    public byte[] deserialize(byte[] reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    @Override
    public TypeSerializerSnapshot<byte[]> snapshotConfiguration() {
        return new Snapshot();
    }

    /** Compatible with Flink's byte arrays after a migration. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<byte[]> {

        /** For Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }

        @Override
        public TypeSerializerSchemaCompatibility<byte[]> resolveSchemaCompatibility(
                TypeSerializerSnapshot<byte[]> old) {
            TypeSerializer<byte[]> written = old.restoreSerializer();
            return written instanceof BytePrimitiveArraySerializer
                    ? TypeSerializerSchemaCompatibility.compatibleAfterMigration()
                    : super.resolveSchemaCompatibility(old);
        }
    }
}
