/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.pagecache;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.segment.PageInflater;
import io.strata.flink.segment.PageSource;
import io.strata.flink.segment.PageView;
import io.strata.flink.segment.RunCursor;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentOptions;
import io.strata.flink.segment.SegmentWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Segments whose pages and their bytes are known. */
final class KnownPages {

    /** A page and what it must hold. */
    record Page(Segment segment, long offset, int storedBytes, int length, byte[] content) {

        /** Asks the source for the page and checks what it shows. */
        void check(PageSource source, PageView view) throws IOException {
            source.page(segment, offset, storedBytes, length, view);
            if (view.length != length) {
                throw new AssertionError("a page of " + view.length + " bytes, not " + length);
            }
            for (int i = 0; i < length; i++) {
                if (view.buffer.get(view.offset + i) != content[i]) {
                    throw new AssertionError(
                            "byte %d of the page at %d of %s is wrong"
                                    .formatted(i, offset, segment.id()));
                }
            }
        }
    }

    private KnownPages() {}

    /** Writes a segment of random records and opens it. */
    static Segment write(StorageDirectory dir, int pageBytes, int records, Random random)
            throws IOException {
        SegmentId id = new SegmentId(random.nextLong(), random.nextLong());
        try (SegmentWriter writer =
                SegmentWriter.create(dir, id, new SegmentOptions(pageBytes, 10))) {
            writer.beginRun(new RunSpec("state", false, 1));
            byte[] value = new byte[20];
            long orderKey = 0;
            for (int i = 0; i < records; i++) {
                random.nextBytes(value);
                orderKey += 1 + random.nextInt(1000);
                writer.add(
                        i * 4 / records,
                        orderKey,
                        RecordKind.PUT,
                        ByteSlice.utf8("key-" + i),
                        new ByteSlice(value),
                        SegmentWriter.NO_TTL);
            }
            writer.endRun();
            writer.finish();
        }
        return Segment.open(dir, id, KeyGroupSpan.ALL);
    }

    /** Returns all pages of a segment, read around any cache. */
    static List<Page> of(Segment segment) throws IOException {
        List<Page> pages = new ArrayList<>();
        PageSource recording =
                (owner, offset, storedBytes, length, out) -> {
                    ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
                    new PageInflater().read(owner, offset, storedBytes, length, buffer, 0);
                    pages.add(new Page(owner, offset, storedBytes, length, buffer.array().clone()));
                    out.set(buffer, 0, length);
                };
        RunCursor cursor = segment.runs().get(0).scan(KeyGroupSpan.ALL, recording);
        while (cursor.next()) {
            cursor.kind();
        }
        return pages;
    }
}
