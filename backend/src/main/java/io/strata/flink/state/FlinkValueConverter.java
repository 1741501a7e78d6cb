/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.compaction.ValueConverter;
import io.strata.flink.format.bytes.ByteSlice;
import java.io.IOException;
import org.apache.flink.util.TemporaryClassLoaderContext;

/**
 * Converts values by reading them with the serializer that wrote them and writing them with the
 * present one. Not thread-safe.
 */
final class FlinkValueConverter implements ValueConverter {

    private final FlinkValueCodec<Object> written;
    private final FlinkValueCodec<Object> present;
    private final TtlChange change;
    private final ClassLoader userClassLoader;

    FlinkValueConverter(
            FlinkValueCodec<Object> written,
            FlinkValueCodec<Object> present,
            TtlChange change,
            ClassLoader userClassLoader) {
        this.written = written;
        this.present = present;
        this.change = change;
        this.userClassLoader = userClassLoader;
    }

    @Override
    public void convert(ByteSlice in, ByteSlice out) throws IOException {
        // serializers look for classes there, and compaction threads have another one
        try (TemporaryClassLoaderContext ignored =
                TemporaryClassLoaderContext.of(userClassLoader)) {
            present.encode(change.apply(written.decode(in)), out);
        }
    }
}
