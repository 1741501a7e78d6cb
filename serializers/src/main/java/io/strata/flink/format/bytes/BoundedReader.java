/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.bytes;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads little-endian values from bytes that are not trusted.
 *
 * <p>Whatever does not fit is a {@link CorruptFormatException} that names the file and the value;
 * nothing is allocated that the remaining bytes do not justify. Not thread-safe.
 */
public final class BoundedReader {

    private final String file;
    private final ByteBuffer bytes;

    /**
     * Creates a reader.
     *
     * @param file how errors name the file
     * @param bytes from its position to its limit, neither of which changes
     */
    public BoundedReader(String file, ByteBuffer bytes) {
        this.file = file;
        this.bytes = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns how errors name the file. */
    public String file() {
        return file;
    }

    /** Returns the number of bytes read so far. */
    public int position() {
        return bytes.position();
    }

    /** Returns the number of bytes left. */
    public int remaining() {
        return bytes.remaining();
    }

    /** Reads one byte, unsigned. */
    public int readUnsignedByte(String what) throws CorruptFormatException {
        require(what, 1);
        return bytes.get() & 0xFF;
    }

    /** Reads two bytes, unsigned. */
    public int readUnsignedShort(String what) throws CorruptFormatException {
        require(what, Short.BYTES);
        return bytes.getShort() & 0xFFFF;
    }

    /** Reads four bytes. */
    public int readInt(String what) throws CorruptFormatException {
        require(what, Integer.BYTES);
        return bytes.getInt();
    }

    /** Reads four bytes and refuses a value outside {@code min..max}. */
    public int readInt(String what, int min, int max) throws CorruptFormatException {
        int value = readInt(what);
        if (value < min || value > max) {
            throw new CorruptFormatException(file, what, min + ".." + max, value);
        }
        return value;
    }

    /** Reads eight bytes. */
    public long readLong(String what) throws CorruptFormatException {
        require(what, Long.BYTES);
        return bytes.getLong();
    }

    /** Reads eight bytes and refuses a value outside {@code min..max}. */
    public long readLong(String what, long min, long max) throws CorruptFormatException {
        long value = readLong(what);
        if (value < min || value > max) {
            throw new CorruptFormatException(file, what, min + ".." + max, value);
        }
        return value;
    }

    /** Reads a {@link VarInts var-int} and refuses one that is not in its shortest form. */
    public long readVarInt(String what) throws CorruptFormatException {
        long value = 0;
        for (int i = 0; i < VarInts.MAX_BYTES; i++) {
            int next = readUnsignedByte(what);
            value |= (next & 0x7FL) << (7 * i);
            if (next < 0x80) {
                if (VarInts.sizeOf(value) != i + 1) {
                    break;
                }
                return value;
            }
        }
        throw new CorruptFormatException(file, what, "a var-int", "too many bytes");
    }

    /** Reads a {@link VarInts var-int} and refuses a value outside {@code 0..max}. */
    public int readVarInt(String what, int max) throws CorruptFormatException {
        long value = readVarInt(what);
        if (value < 0 || value > max) {
            throw new CorruptFormatException(file, what, "0.." + max, value);
        }
        return (int) value;
    }

    /** Reads bytes into a fresh array. */
    public byte[] readBytes(String what, int length) throws CorruptFormatException {
        require(what, length);
        byte[] read = new byte[length];
        bytes.get(read);
        return read;
    }

    /** Reads UTF-8 text of a known number of bytes. */
    public String readUtf8(String what, int length) throws CorruptFormatException {
        byte[] read = readBytes(what, length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(read)).toString();
        } catch (CharacterCodingException e) {
            throw new CorruptFormatException(file, what, "UTF-8", new ByteSlice(read), e);
        }
    }

    /** Reads {@code length} bytes that have to be zero. */
    public void readZeros(String what, int length) throws CorruptFormatException {
        for (int i = 0; i < length; i++) {
            int found = readUnsignedByte(what);
            if (found != 0) {
                throw new CorruptFormatException(file, what, 0, found);
            }
        }
    }

    /** Refuses bytes that follow what is known. */
    public void requireEnd(String what) throws CorruptFormatException {
        if (bytes.hasRemaining()) {
            throw new CorruptFormatException(
                    file, what, "nothing more", bytes.remaining() + " more bytes");
        }
    }

    /** Refuses a value that differs from the expected one. */
    public void requireEqual(String what, long expected, long found) throws CorruptFormatException {
        if (expected != found) {
            throw new CorruptFormatException(file, what, expected, found);
        }
    }

    /** Refuses a checksum that differs from the expected one. */
    public static void requireChecksum(String file, String what, int expected, int found)
            throws CorruptFormatException {
        if (expected != found) {
            throw new CorruptFormatException(
                    file,
                    what,
                    "checksum " + Checksums.text(expected),
                    "checksum " + Checksums.text(found));
        }
    }

    private void require(String what, int length) throws CorruptFormatException {
        if (length < 0 || length > bytes.remaining()) {
            throw new CorruptFormatException(
                    file, what, length + " bytes", bytes.remaining() + " bytes");
        }
    }
}
