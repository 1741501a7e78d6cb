/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.state;

import java.io.IOException;
import java.util.Collection;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** The bytes of a list: its elements with one delimiter between each two of them. */
public final class ListFormat {

    /** Stands between two elements, and between two encoded lists that are joined. */
    public static final byte DELIMITER = ',';

    private ListFormat() {}

    /**
     * Writes all elements in order.
     *
     * @throws NullPointerException when an element is null
     */
    public static <T> void write(
            Collection<T> elements, TypeSerializer<T> serializer, DataOutputView target)
            throws IOException {
        boolean first = true;
        for (T element : elements) {
            if (element == null) {
                throw new NullPointerException("A list state holds no null elements.");
            }
            if (!first) {
                target.writeByte(DELIMITER);
            }
            first = false;
            serializer.serialize(element, target);
        }
    }

    /**
     * Reads the next element and the delimiter behind it, if it is not the last one.
     *
     * @throws IOException when something other than a delimiter follows the element
     */
    public static <T> T readElement(DataInputDeserializer source, TypeSerializer<T> serializer)
            throws IOException {
        T element = serializer.deserialize(source);
        if (source.available() > 0) {
            readDelimiter(source);
        }
        return element;
    }

    /**
     * Reads the delimiter that stands between two elements.
     *
     * @throws IOException when another byte stands there
     */
    public static void readDelimiter(DataInputView source) throws IOException {
        byte found = source.readByte();
        if (found != DELIMITER) {
            throw new IOException(
                    String.format(
                            "List: expected the delimiter %02x after an element, found %02x;"
                                    + " was the list written by another serializer?",
                            DELIMITER, found));
        }
    }
}
