/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.bytes;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC32C checksums, as ints. */
public final class Checksums {

    private Checksums() {}

    /** Returns the checksum of a part of an array. */
    public static int crc32c(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }

    /** Returns the checksum of a part of a buffer; its position and limit stay as they are. */
    public static int crc32c(ByteBuffer buffer, int index, int length) {
        if (buffer.hasArray()) {
            return crc32c(buffer.array(), buffer.arrayOffset() + index, length);
        }
        ByteBuffer part = buffer.duplicate();
        part.limit(index + length).position(index);
        CRC32C crc = new CRC32C();
        crc.update(part);
        return (int) crc.getValue();
    }

    /** Returns a checksum as eight hexadecimal digits, for messages. */
    public static String text(int checksum) {
        return String.format("0x%08x", checksum);
    }
}
