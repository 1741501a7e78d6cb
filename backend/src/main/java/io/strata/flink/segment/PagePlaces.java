/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.segment.IndexDescriptor;
import io.strata.flink.format.segment.KeyGroupEntry;
import io.strata.flink.format.segment.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Where the pages of a run are in its file: the offset of every sixteenth page, and the lengths of
 * all, which follow each other, as they are stored and as they are.
 *
 * <pre>
 *   +-------------------------------------------+ start
 *   | offset of pages 0, 16, 32 ..., 8 bytes    |
 *   +-------------------------------------------+
 *   | stored lengths of the pages, less 1       |  2 bytes each
 *   +-------------------------------------------+
 *   | lengths, less 1                           |  only where pages are compressed
 *   +-------------------------------------------+ start + bytes
 * </pre>
 *
 * <p>Filled once, key group after key group, by one thread; any thread may read it then.
 */
final class PagePlaces {

    private static final int STRIDE_SHIFT = 4;
    private static final int STRIDE_MASK = (1 << STRIDE_SHIFT) - 1;

    private final SegmentHeader header;
    private final ByteBuffer memory;
    private final int offsetsAt;
    private final int storedLengthsAt;
    private final int lengthsAt;

    /** Takes memory from {@code start} on for so many pages. */
    PagePlaces(ByteBuffer memory, int start, int pages, SegmentHeader header) {
        this.header = header;
        this.memory = memory;
        this.offsetsAt = start;
        this.storedLengthsAt = start + strides(pages) * Long.BYTES;
        boolean isCompressed = IndexDescriptor.hasStoredLengths(header);
        this.lengthsAt = storedLengthsAt + (isCompressed ? pages * Short.BYTES : 0);
    }

    /** Returns the memory that the places of so many pages take. */
    static long bytes(int pages, SegmentHeader header) {
        boolean isCompressed = IndexDescriptor.hasStoredLengths(header);
        long lengths = (long) pages * Short.BYTES;
        return (long) strides(pages) * Long.BYTES + (isCompressed ? 2 * lengths : lengths);
    }

    private static int strides(int pages) {
        return (pages + STRIDE_MASK) >>> STRIDE_SHIFT;
    }

    /** Reads the lengths of the next key group's pages from the index area. */
    void read(KeyGroupEntry entry, int firstPage, AreaReader area) throws IOException {
        int bytes = (int) (entry.indexBytes() - (long) entry.pages() * Long.BYTES);
        ByteBuffer lengths = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        area.read(lengths, 0, bytes);
        int storedFrom = IndexDescriptor.hasStoredLengths(header) ? entry.pages() : 0;
        long offset = entry.dataOffset();
        for (int i = 0; i < entry.pages(); i++) {
            int full = (int) Math.min(header.pageBytes(), entry.dataEnd() - offset);
            int stored = bytes == 0 ? full : lengthAt(lengths, storedFrom + i);
            put(firstPage + i, offset, stored, bytes == 0 ? full : lengthAt(lengths, i));
            offset += stored;
        }
    }

    private static int lengthAt(ByteBuffer lengthsLess1, int i) {
        return (lengthsLess1.getShort(i * IndexDescriptor.LENGTH_BYTES) & 0xFFFF) + 1;
    }

    /** Fails when a key group's pages do not end where its data does. */
    void requireEnd(KeyGroupEntry entry, int firstPage, AreaReader area)
            throws CorruptFormatException {
        int last = firstPage + entry.pages() - 1;
        long end = offset(last) + storedBytes(last);
        if (end != entry.dataEnd()) {
            String what = "end of the pages of key group " + entry.keyGroup();
            throw new CorruptFormatException(area.fileName(), what, entry.dataEnd(), end);
        }
    }

    private void put(int page, long offset, int storedBytes, int length) {
        if ((page & STRIDE_MASK) == 0) {
            memory.putLong(offsetsAt + (page >>> STRIDE_SHIFT) * Long.BYTES, offset);
        }
        memory.putShort(storedLengthsAt + page * Short.BYTES, (short) (storedBytes - 1));
        memory.putShort(lengthsAt + page * Short.BYTES, (short) (length - 1));
    }

    /** Returns where a page begins in the file. */
    long offset(int page) {
        long offset = memory.getLong(offsetsAt + (page >>> STRIDE_SHIFT) * Long.BYTES);
        for (int before = page & ~STRIDE_MASK; before < page; before++) {
            offset += storedBytes(before);
        }
        return offset;
    }

    /** Returns the bytes that a page takes in the file. */
    int storedBytes(int page) {
        return (memory.getShort(storedLengthsAt + page * Short.BYTES) & 0xFFFF) + 1;
    }

    /** Returns the length of a page. */
    int length(int page) {
        return (memory.getShort(lengthsAt + page * Short.BYTES) & 0xFFFF) + 1;
    }
}
