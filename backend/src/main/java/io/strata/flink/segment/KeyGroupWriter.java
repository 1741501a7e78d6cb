/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.Checksums;
import io.strata.flink.format.segment.FilterDescriptor;
import io.strata.flink.format.segment.IndexDescriptor;
import io.strata.flink.format.segment.KeyGroupEntry;
import io.strata.flink.format.segment.PageBuilder;
import io.strata.flink.format.segment.PageCompression;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.SegmentHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes the pages of one key group after another, and collects what the directory says of them.
 */
final class KeyGroupWriter {

    private static final int INITIAL_PAGES = 16;

    private final SegmentOut out;
    private final SegmentHeader header;
    private final PageBuilder page;

    /** Null where pages are stored as they are. */
    private final PageDeflater deflater;

    private final FilterBuilder filter;

    private long[] firstOrderKeys = new long[INITIAL_PAGES];
    private short[] lengthsLess1 = new short[INITIAL_PAGES];
    private short[] storedLengthsLess1 = new short[INITIAL_PAGES];
    private int pages;
    private long orderKey;
    private long startOffset;
    private long records;
    private long tombstones;
    private long minTtl;
    private long maxTtl;

    KeyGroupWriter(SegmentOut out, SegmentHeader header, FilterBuilder filter) {
        this.out = out;
        this.header = header;
        this.page = new PageBuilder(header.pageBytes());
        this.deflater =
                header.compression() == PageCompression.LZ4
                        ? new PageDeflater(header.pageBytes())
                        : null;
        this.filter = filter;
    }

    /** The directory entry of a finished key group, with its parts of index and filter area. */
    record Finished(KeyGroupEntry entry, byte[] index, byte[] filter) {}

    void begin() {
        pages = 0;
        records = 0;
        tombstones = 0;
        minTtl = KeyGroupEntry.NO_TTL;
        maxTtl = Long.MIN_VALUE;
        startOffset = out.position();
        out.takeChecksum();
    }

    void beginRecord(long recordOrderKey, RecordKind kind, long recordBytes, long ttlTimestamp)
            throws IOException {
        if (!page.fits(recordBytes) && !page.isEmpty()) {
            flushPage();
        }
        orderKey = recordOrderKey;
        page.beginRecord(recordOrderKey);
        filter.add(recordOrderKey);
        records++;
        if (kind == RecordKind.DELETE) {
            tombstones++;
        } else {
            minTtl = Math.min(minTtl, ttlTimestamp);
            maxTtl = Math.max(maxTtl, ttlTimestamp);
        }
    }

    void append(byte[] bytes, int offset, int length) throws IOException {
        int done = page.append(bytes, offset, length);
        while (done < length) {
            page.markContinues();
            flushPage();
            page.beginContinuation(orderKey);
            done += page.append(bytes, offset + done, length - done);
        }
    }

    Finished finish(int keyGroup) throws IOException {
        flushPage();
        int dataChecksum = out.takeChecksum();
        byte[] index = index();
        byte[] filterBytes = filter.finish();
        KeyGroupEntry entry =
                new KeyGroupEntry(
                        keyGroup,
                        startOffset,
                        out.position() - startOffset,
                        pages,
                        records,
                        tombstones,
                        minTtl,
                        maxTtl == Long.MIN_VALUE ? KeyGroupEntry.NO_TTL : maxTtl,
                        0,
                        index.length,
                        0,
                        filterBytes.length / FilterDescriptor.BLOCK_BYTES,
                        dataChecksum,
                        Checksums.crc32c(index, 0, index.length),
                        Checksums.crc32c(filterBytes, 0, filterBytes.length));
        return new Finished(entry, index, filterBytes);
    }

    private byte[] index() {
        long bytes = IndexDescriptor.bytes(header, pages);
        ByteBuffer index =
                ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < pages; i++) {
            index.putLong(firstOrderKeys[i]);
        }
        for (int i = 0; i < pages; i++) {
            index.putShort(lengthsLess1[i]);
        }
        for (int i = 0; i < pages && deflater != null; i++) {
            index.putShort(storedLengthsLess1[i]);
        }
        return index.array();
    }

    private void flushPage() throws IOException {
        if (pages == firstOrderKeys.length) {
            firstOrderKeys = Arrays.copyOf(firstOrderKeys, pages * 2);
            lengthsLess1 = Arrays.copyOf(lengthsLess1, pages * 2);
            storedLengthsLess1 = Arrays.copyOf(storedLengthsLess1, pages * 2);
        }
        int length = page.finish(out.position());
        firstOrderKeys[pages] = page.firstOrderKey();
        lengthsLess1[pages] = (short) (length - 1);
        int stored = deflater == null ? length : deflater.deflate(page.bytes(), length);
        storedLengthsLess1[pages] = (short) (stored - 1);
        pages++;
        out.write(stored < length ? deflater.bytes() : page.bytes(), 0, stored);
        page.reset();
    }
}
