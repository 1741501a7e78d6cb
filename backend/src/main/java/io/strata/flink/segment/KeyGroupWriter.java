/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.Checksums;
import io.strata.flink.format.segment.FilterDescriptor;
import io.strata.flink.format.segment.KeyGroupEntry;
import io.strata.flink.format.segment.PageBuilder;
import io.strata.flink.format.segment.RecordKind;
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
    private final PageBuilder page;
    private final FilterBuilder filter;

    private long[] firstOrderKeys = new long[INITIAL_PAGES];
    private int pages;
    private long orderKey;
    private long startOffset;
    private long records;
    private long tombstones;
    private long minTtl;
    private long maxTtl;

    KeyGroupWriter(SegmentOut out, int pageBytes, FilterBuilder filter) {
        this.out = out;
        this.page = new PageBuilder(pageBytes);
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
            flushPage(false);
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
            flushPage(false);
            page.beginContinuation(orderKey);
            done += page.append(bytes, offset + done, length - done);
        }
    }

    Finished finish(int keyGroup) throws IOException {
        flushPage(true);
        int dataChecksum = out.takeChecksum();
        ByteBuffer index =
                ByteBuffer.allocate(Math.multiplyExact(pages, Long.BYTES))
                        .order(ByteOrder.LITTLE_ENDIAN);
        index.asLongBuffer().put(firstOrderKeys, 0, pages);
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
                        0,
                        filterBytes.length / FilterDescriptor.BLOCK_BYTES,
                        dataChecksum,
                        Checksums.crc32c(index.array(), 0, index.capacity()),
                        Checksums.crc32c(filterBytes, 0, filterBytes.length));
        return new Finished(entry, index.array(), filterBytes);
    }

    private void flushPage(boolean last) throws IOException {
        if (pages == firstOrderKeys.length) {
            firstOrderKeys = Arrays.copyOf(firstOrderKeys, pages * 2);
        }
        firstOrderKeys[pages++] = page.firstOrderKey();
        int length = page.finish(out.position(), last);
        out.write(page.bytes(), 0, length);
        page.reset();
    }
}
