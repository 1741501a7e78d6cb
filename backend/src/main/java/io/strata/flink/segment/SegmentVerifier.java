/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.BoundedReader;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.segment.KeyGroupEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Reads all pages of a segment once and compares them with checksums and index. */
final class SegmentVerifier {

    private final Segment segment;
    private final StreamingPageSource pages = new StreamingPageSource();
    private final PageView view = new PageView();

    SegmentVerifier(Segment segment) {
        this.segment = segment;
    }

    void verify(Run run) throws IOException {
        for (KeyGroupEntry entry : run.keyGroups()) {
            verify(run, entry);
        }
    }

    private void verify(Run run, KeyGroupEntry entry) throws IOException {
        CRC32C checksum = new CRC32C();
        long records = 0;
        RunIndex index = run.index();
        int first = index.firstPage(index.slot(entry.keyGroup()));
        for (int page = first; page < first + entry.pages(); page++) {
            pages.stored(segment, index.pageOffset(page), index.storedBytes(page), view);
            checksum.update(bytes());
            index.show(segment, page, pages, view);
            records += PageSearch.records(view);
        }
        String of = run.spec().stateName() + ", key group " + entry.keyGroup();
        String file = segment.id().fileName();
        BoundedReader.requireChecksum(
                file, "data of " + of, entry.dataChecksum(), (int) checksum.getValue());
        if (records != entry.records()) {
            throw new CorruptFormatException(file, "records of " + of, entry.records(), records);
        }
    }

    private ByteBuffer bytes() {
        return view.buffer.duplicate().limit(view.offset + view.length).position(view.offset);
    }
}
