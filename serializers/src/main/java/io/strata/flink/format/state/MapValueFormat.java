/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.state;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** The bytes of one map entry's value: a null flag, and the value unless it is null. */
public final class MapValueFormat {

    private MapValueFormat() {}

    /** Writes a value, which may be null. */
    public static <V> void write(V value, TypeSerializer<V> serializer, DataOutputView target)
            throws IOException {
        target.writeBoolean(value == null);
        if (value != null) {
            serializer.serialize(value, target);
        }
    }

    /** Reads a value, null when the flag says so. */
    public static <V> V read(DataInputView source, TypeSerializer<V> serializer)
            throws IOException {
        return source.readBoolean() ? null : serializer.deserialize(source);
    }
}
