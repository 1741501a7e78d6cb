/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.key;

import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** The length that follows a key or namespace where the pair would otherwise be ambiguous. */
final class LengthSuffix {

    private LengthSuffix() {}

    static void write(int lengthBytes, DataOutputView target) throws IOException {
        int rest = lengthBytes;
        do {
            target.writeByte(rest);
            rest >>>= 8;
        } while (rest != 0);
    }

    /**
     * Reads a suffix and compares it with the length that the part before it really took.
     *
     * @throws IOException when they differ: the bytes were written by other serializers
     */
    static void expect(int lengthBytes, DataInputView source, String part) throws IOException {
        int rest = lengthBytes;
        int shift = 0;
        int found = 0;
        do {
            found |= source.readUnsignedByte() << shift;
            shift += 8;
            rest >>>= 8;
        } while (rest != 0);
        if (found != lengthBytes) {
            throw new IOException(
                    "Composite key: the "
                            + part
                            + " was read from "
                            + lengthBytes
                            + " bytes, but its length suffix says "
                            + found
                            + "; was it written by another serializer?");
        }
    }
}
