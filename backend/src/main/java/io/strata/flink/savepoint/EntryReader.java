/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.key.KeyGroupPrefix;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads the entries of one key group of a canonical savepoint, one after another.
 *
 * <pre>
 *  +----------+------------+-----+--------------+-----+-----+-----+-------------+----------------+
 *  | state id | key length | key | value length | value   ...     | next state id, FFFF: no more |
 *  | 2 B      | 4 B        |     | 4 B          |                 | 2 B                          |
 *  +----------+------------+-----+--------------+-----+-----+-----+-------------+----------------+
 *  +--- once a state ------+ +------- once an entry ----------+   after an entry whose key has its
 *                                                                 first bit set
 * </pre>
 *
 * <p>Numbers are big-endian. The key is a composite key (package {@code format.key}); its first bit
 * is free, since key groups have at most 15 bits. Flink's own reader is not used: it believes a
 * damaged length, and makes two arrays an entry.
 */
final class EntryReader {

    private static final int END_OF_KEY_GROUP = 0xFFFF;
    private static final int LAST_OF_STATE = 0x80;
    private static final int INITIAL_KEY_BYTES = 256;

    /** No array grows by more before the bytes for it have been seen. */
    static final int PART_BYTES = 1 << 20;

    private final String file;
    private final int prefixBytes;
    private final ByteSlice key = new ByteSlice(new byte[INITIAL_KEY_BYTES], 0, 0);
    private final byte[] first = new byte[1];

    private DataInputStream in;
    private int keyGroup;
    private int stateId;
    private boolean lastOfState;
    private int valueBytes;
    private int valueBytesLeft;
    private boolean firstRead;

    /**
     * Creates the reader of a file.
     *
     * @param file how errors name it
     * @param prefixBytes the length of the key-group prefix in this job
     */
    EntryReader(String file, int prefixBytes) {
        this.file = file;
        this.prefixBytes = prefixBytes;
    }

    /** Begins a key group, whose uncompressed bytes are what the stream brings. */
    void open(InputStream stream, int keyGroupToRead) throws IOException {
        in = new DataInputStream(stream);
        keyGroup = keyGroupToRead;
        valueBytesLeft = 0;
        lastOfState = true;
    }

    /**
     * Moves to the next entry, past what was not read of the value before.
     *
     * @return false at the end of the key group
     * @throws CorruptFormatException if the file is cut, or the entry is not of this key group
     */
    boolean next() throws IOException {
        try {
            skipValue();
            if (lastOfState) {
                stateId = in.readUnsignedShort();
                if (stateId == END_OF_KEY_GROUP) {
                    return false;
                }
            }
            readKey();
            valueBytes = readLength("length of a value", 0);
            valueBytesLeft = valueBytes;
            firstRead = false;
            return true;
        } catch (EOFException e) {
            throw cut(e);
        }
    }

    /** Returns the number of the entry's state in the savepoint's metadata. */
    int stateId() {
        return stateId;
    }

    /** Returns the composite key with its key-group prefix, valid until the next entry. */
    ByteSlice key() {
        return key;
    }

    /** Returns the length of the entry's value. */
    int valueBytes() {
        return valueBytes;
    }

    /** Returns the first byte of the value, which has one, without taking it. */
    int peekValue() throws IOException {
        if (valueBytesLeft != valueBytes || valueBytes == 0) {
            throw new IllegalStateException("the value has no first byte any more");
        }
        if (!firstRead) {
            try {
                first[0] = in.readByte();
            } catch (EOFException e) {
                throw cut(e);
            }
            firstRead = true;
        }
        return first[0];
    }

    /** Reads the next bytes of the value; the caller knows how many there are. */
    void readValue(byte[] target, int offset, int length) throws IOException {
        if (length > valueBytesLeft) {
            throw new IllegalArgumentException(length + " of " + valueBytesLeft + " bytes");
        }
        int from = 0;
        if (length > 0 && firstRead) {
            target[offset] = first[0];
            firstRead = false;
            from = 1;
        }
        try {
            in.readFully(target, offset + from, length - from);
        } catch (EOFException e) {
            throw cut(e);
        }
        valueBytesLeft -= length;
    }

    private void skipValue() throws IOException {
        if (firstRead) {
            firstRead = false;
            valueBytesLeft--;
        }
        if (valueBytesLeft > 0) {
            in.skipNBytes(valueBytesLeft);
            valueBytesLeft = 0;
        }
    }

    private void readKey() throws IOException {
        int length = readLength("length of a key", prefixBytes);
        key.length = 0;
        while (key.length < length) {
            int part = Math.min(length - key.length, PART_BYTES);
            if (key.bytes.length - key.length < part) {
                key.bytes = Arrays.copyOf(key.bytes, Math.max(key.length * 2, key.length + part));
            }
            in.readFully(key.bytes, key.length, part);
            key.length += part;
        }
        lastOfState = (key.bytes[0] & LAST_OF_STATE) != 0;
        key.bytes[0] &= ~LAST_OF_STATE;
        int found = KeyGroupPrefix.read(prefixBytes, key.bytes, 0);
        if (found != keyGroup) {
            throw new CorruptFormatException(
                    file,
                    "key-group prefix of %d byte(s) in key group %d"
                            .formatted(prefixBytes, keyGroup),
                    keyGroup,
                    found + " (was it written with another maximum parallelism?)");
        }
    }

    private int readLength(String what, int least) throws IOException {
        int length = in.readInt();
        if (length < least) {
            throw new CorruptFormatException(
                    file, what + " in key group " + keyGroup, "at least " + least, length);
        }
        return length;
    }

    private CorruptFormatException cut(EOFException cause) {
        return new CorruptFormatException(
                file, "key group " + keyGroup, "more bytes", "the end of the file", cause);
    }
}
