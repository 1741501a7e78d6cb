/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.segment.PageDescriptor;
import java.io.IOException;

/**
 * Reads on in the bytes of a record that goes on over several pages.
 *
 * <p>Belongs to one thread; asks its source for a page at each read, so others may use the source
 * in between.
 */
final class RecordStream {

    private final PageView view = new PageView();
    private Segment segment;
    private PageSource pages;
    private long dataOffset;
    private long dataBytes;
    private long page;
    private boolean inFirstPage;
    private int indexInPage;
    private long markedPage;
    private boolean markedInFirstPage;
    private int markedIndexInPage;

    /**
     * Starts at a byte of the record's first page.
     *
     * @param keyGroupOffset where the key group's pages begin in the file
     * @param keyGroupBytes the length of the key group's pages
     * @param firstPage the record's first page among those of the key group
     * @param startInPage where to start in that page
     */
    void start(
            Segment of,
            PageSource source,
            long keyGroupOffset,
            long keyGroupBytes,
            long firstPage,
            int startInPage) {
        segment = of;
        pages = source;
        dataOffset = keyGroupOffset;
        dataBytes = keyGroupBytes;
        page = firstPage;
        inFirstPage = true;
        indexInPage = startInPage;
    }

    /** Remembers where the value begins. */
    void mark() {
        markedPage = page;
        markedInFirstPage = inFirstPage;
        markedIndexInPage = indexInPage;
    }

    /** Goes back to where {@link #mark} was called. */
    void rewind() {
        page = markedPage;
        inFirstPage = markedInFirstPage;
        indexInPage = markedIndexInPage;
    }

    /** Skips bytes without reading their pages. */
    void skip(long bytes) {
        long left = bytes;
        while (left > 0) {
            int limit = limit();
            if (limit - indexInPage > left) {
                indexInPage += (int) left;
                return;
            }
            left -= limit - indexInPage;
            nextPage();
        }
    }

    /** Reads all of the wanted bytes. */
    void readFully(byte[] target, int offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
            if (indexInPage == limit()) {
                nextPage();
            }
            int part = Math.min(length - done, limit() - indexInPage);
            showPage(indexInPage + part);
            view.buffer.get(view.offset + indexInPage, target, offset + done, part);
            indexInPage += part;
            done += part;
        }
    }

    private int limit() {
        int pageBytes = segment.pageBytes();
        return inFirstPage
                ? PageDescriptor.singleRecordBytes(pageBytes)
                : PageDescriptor.continuationBytes(pageBytes);
    }

    private void nextPage() {
        page++;
        indexInPage = 0;
        inFirstPage = false;
    }

    private void showPage(int neededBytes) throws IOException {
        int pageBytes = segment.pageBytes();
        long start = page * pageBytes;
        long length = Math.min(pageBytes, dataBytes - start);
        int tail = inFirstPage ? pageBytes - limit() : PageDescriptor.TAIL_BYTES;
        if (length - tail < neededBytes) {
            throw corrupt(start, neededBytes + " more bytes of a record", "the end");
        }
        pages.page(segment, dataOffset + start, (int) length, view);
        boolean continuation = (PageSearch.flags(view) & PageDescriptor.FLAG_CONTINUATION) != 0;
        if (continuation == inFirstPage) {
            throw corrupt(start, inFirstPage ? "a record" : "a continuation", "the other");
        }
    }

    private CorruptFormatException corrupt(long start, String expected, String found) {
        return new CorruptFormatException(
                segment.id().fileName(), "page at " + (dataOffset + start), expected, found);
    }
}
