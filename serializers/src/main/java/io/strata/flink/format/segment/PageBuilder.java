/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

import static io.strata.flink.format.segment.PageDescriptor.FLAG_CONTINUATION;
import static io.strata.flink.format.segment.PageDescriptor.FLAG_CONTINUES;
import static io.strata.flink.format.segment.PageDescriptor.MAX_RECORDS;
import static io.strata.flink.format.segment.PageDescriptor.TABLE_BYTES_PER_RECORD;
import static io.strata.flink.format.segment.PageDescriptor.TAIL_BYTES;

import io.strata.flink.format.bytes.Checksums;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Builds one page after another in the same array; bytes as {@link PageDescriptor} says.
 *
 * <p>Not thread-safe.
 */
public final class PageBuilder {

    private final int pageBytes;
    private final byte[] bytes;
    private final ByteBuffer buffer;
    private final long[] orderKeys;
    private final int[] offsets;

    private int records;
    private int flags;
    private int used;
    private long firstOrderKey;

    /** Creates a builder of pages of at most {@code pageBytes}, which is empty. */
    public PageBuilder(int pageBytes) {
        this.pageBytes = pageBytes;
        bytes = new byte[pageBytes];
        buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int most = pageBytes / TABLE_BYTES_PER_RECORD;
        orderKeys = new long[most];
        offsets = new int[most];
    }

    /** Returns true when nothing was put into the page. */
    public boolean isEmpty() {
        return records == 0 && flags == 0;
    }

    /** Returns true when a record of this size can be added to the page without continuing. */
    public boolean fits(long recordBytes) {
        return flags == 0
                && records < MAX_RECORDS
                && used + recordBytes + (records + 1L) * TABLE_BYTES_PER_RECORD + TAIL_BYTES
                        <= pageBytes;
    }

    /** Begins the next record: one that {@link #fits}, or any in an empty page. */
    public void beginRecord(long orderKey) {
        if (records == 0) {
            firstOrderKey = orderKey;
        }
        orderKeys[records] = orderKey;
        offsets[records] = used;
        records++;
    }

    /** Begins a page, in an empty builder, that goes on with a record of the page before. */
    public void beginContinuation(long orderKey) {
        firstOrderKey = orderKey;
        flags = FLAG_CONTINUATION;
    }

    /** Returns the order key of the first record, or of the one continued here. */
    public long firstOrderKey() {
        return firstOrderKey;
    }

    /** Adds bytes to the record as far as the page has room, and returns how many. */
    public int append(byte[] source, int offset, int length) {
        int limit = pageBytes - TAIL_BYTES - TABLE_BYTES_PER_RECORD * records;
        int taken = Math.min(length, limit - used);
        System.arraycopy(source, offset, bytes, used, taken);
        used += taken;
        return taken;
    }

    /** Marks the page's record as going on in the next page. */
    public void markContinues() {
        flags |= FLAG_CONTINUES;
    }

    /**
     * Completes the page.
     *
     * @param fileOffset where the page will be in its file
     * @return the length of the page, whose bytes are then at the beginning of {@link #bytes}
     */
    public int finish(long fileOffset) {
        int length = used + records * TABLE_BYTES_PER_RECORD + TAIL_BYTES;
        int at = used;
        for (int i = 0; i < records; i++, at += Long.BYTES) {
            buffer.putLong(at, orderKeys[i]);
        }
        for (int i = 0; i < records; i++, at += Short.BYTES) {
            buffer.putShort(at, (short) offsets[i]);
        }
        buffer.putShort(at, (short) records);
        buffer.put(length - PageDescriptor.FLAGS_BEFORE_END, (byte) flags);
        buffer.put(length - PageDescriptor.ZERO_BEFORE_END, (byte) 0);
        int covered = length - PageDescriptor.CHECKSUM_BEFORE_END;
        buffer.putInt(covered, Checksums.crc32c(bytes, 0, covered) ^ (int) fileOffset);
        return length;
    }

    /** Returns the array that holds the page. */
    public byte[] bytes() {
        return bytes;
    }

    /** Empties the builder for the next page. */
    public void reset() {
        records = 0;
        flags = 0;
        used = 0;
    }
}
