/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.state;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** The bytes of a value, of what a reducing state holds, and of an accumulator. */
public final class ValueFormat {

    private ValueFormat() {}

    /** Writes a value, which is never null: a null value is an absent record. */
    public static <V> void write(V value, TypeSerializer<V> serializer, DataOutputView target)
            throws IOException {
        serializer.serialize(value, target);
    }

    /** Reads a value. */
    public static <V> V read(DataInputView source, TypeSerializer<V> serializer)
            throws IOException {
        return serializer.deserialize(source);
    }
}
