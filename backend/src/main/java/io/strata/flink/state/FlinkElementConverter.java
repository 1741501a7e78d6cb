/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.compaction.ElementConverter;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.state.ListFormat;
import java.io.IOException;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.util.TemporaryClassLoaderContext;

/**
 * Converts lists element by element, each read with the serializer that wrote it and written with
 * the present one. Not thread-safe.
 */
final class FlinkElementConverter implements ElementConverter {

    private static final int INITIAL_BYTES = 256;

    /** A buffer that one large list made larger than this is not kept. */
    private static final int RETAINED_BYTES = 1 << 20;

    private final FlinkElementCodec<Object> written;
    private final FlinkElementCodec<Object> present;
    private final TtlChange change;
    private final ClassLoader userClassLoader;
    private final ByteSlice rest = new ByteSlice();
    private final ByteSlice element = new ByteSlice();
    private DataOutputSerializer joined = new DataOutputSerializer(INITIAL_BYTES);

    FlinkElementConverter(
            FlinkElementCodec<Object> written,
            FlinkElementCodec<Object> present,
            TtlChange change,
            ClassLoader userClassLoader) {
        this.written = written;
        this.present = present;
        this.change = change;
        this.userClassLoader = userClassLoader;
    }

    @Override
    public void convert(ByteSlice in, ByteSlice out) throws IOException {
        if (joined.getSharedBuffer().length > RETAINED_BYTES) {
            joined = new DataOutputSerializer(INITIAL_BYTES);
        }
        joined.clear();
        rest.set(in);
        for (boolean first = true; rest.length > 0; first = false) {
            if (!first) {
                joined.writeByte(ListFormat.DELIMITER);
            }
            convertNext(rest, element);
            joined.write(element.bytes, element.offset, element.length);
        }
        out.set(joined.getSharedBuffer(), 0, joined.length());
    }

    @Override
    public void convertNext(ByteSlice in, ByteSlice out) throws IOException {
        // serializers look for classes there, and compaction threads have another one
        try (TemporaryClassLoaderContext ignored =
                TemporaryClassLoaderContext.of(userClassLoader)) {
            present.encode(change.apply(written.decodeNext(in)), out);
        }
    }
}
