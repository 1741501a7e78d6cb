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
    private RunIndex index;
    private int endPage;

    /** Beyond the last page when skipped bytes lead there. */
    private long page;

    private boolean inFirstPage;
    private int indexInPage;
    private long markedPage;
    private boolean markedInFirstPage;
    private int markedIndexInPage;

    /**
     * Starts at a byte of the record's first page.
     *
     * @param slot the record's key group in the index
     * @param firstPage the record's first page
     * @param startInPage where to start in that page
     */
    void start(
            Segment of,
            PageSource source,
            RunIndex places,
            int slot,
            int firstPage,
            int startInPage) {
        segment = of;
        pages = source;
        index = places;
        endPage = places.firstPage(slot) + places.pages(slot);
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
        if (page >= endPage) {
            throw corrupt(endPage - 1, neededBytes + " more bytes of a record", "the end");
        }
        int at = (int) page;
        index.show(segment, at, pages, view);
        int tail = inFirstPage ? segment.pageBytes() - limit() : PageDescriptor.TAIL_BYTES;
        if (view.length - tail < neededBytes) {
            throw corrupt(at, neededBytes + " bytes of a record in it", view.length - tail + "");
        }
        boolean continuation = (PageSearch.flags(view) & PageDescriptor.FLAG_CONTINUATION) != 0;
        if (continuation == inFirstPage) {
            throw corrupt(at, inFirstPage ? "a record" : "a continuation", "the other");
        }
    }

    private CorruptFormatException corrupt(int at, String expected, String found) {
        return new CorruptFormatException(
                segment.id().fileName(), "page at " + index.pageOffset(at), expected, found);
    }
}
