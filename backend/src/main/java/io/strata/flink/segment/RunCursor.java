/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.PageDescriptor;
import io.strata.flink.format.segment.RecordKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Goes through records of one run in order.
 *
 * <p>Belongs to one thread. Starts before the first record; what it shows is valid until the next
 * {@link #next}. It keeps a copy of the page it stands on, so the page source may be used for other
 * things in between. Holds no handle, but the segment must stay retained while it is used.
 */
public final class RunCursor {

    private final Run run;
    private final RunIndex index;
    private final PageSource pages;
    private final int lastKeyGroup;

    private final PageView view = new PageView();
    private final PageView page = new PageView();
    private final RecordHead head = new RecordHead();
    private final ByteSlice key = new ByteSlice();
    private final RecordValue value = new RecordValue();
    private byte[] continuedKey = new byte[0];

    private int keyGroup;
    private int slot = -1;
    private long nextPage;
    private long pagesInKeyGroup;
    private long currentPage;
    private int records;
    private int record;
    private long orderKey;
    private RecordKind kind;

    /** Records below this order key are passed over. */
    private long seekFrom;

    private RunCursor(
            Run run, RunIndex index, int firstKeyGroup, int lastKeyGroup, PageSource pages) {
        this.run = run;
        this.index = index;
        this.pages = pages;
        this.keyGroup = firstKeyGroup - 1;
        this.lastKeyGroup = lastKeyGroup;
        byte[] bytes = new byte[run.segment().pageBytes()];
        page.set(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 0, 0);
    }

    static RunCursor empty(Run run) {
        return new RunCursor(run, RunIndex.EMPTY, 0, -1, null);
    }

    static RunCursor scan(Run run, RunIndex index, KeyGroupSpan span, PageSource pages) {
        int first = Math.max(span.first(), run.firstKeyGroup());
        int last = Math.min(span.last(), run.lastKeyGroup());
        return new RunCursor(run, index, first, last, pages);
    }

    static RunCursor seek(
            Run run, RunIndex index, int keyGroup, long fromOrderKey, PageSource pages) {
        RunCursor cursor = new RunCursor(run, index, keyGroup, keyGroup, pages);
        int slot = index.slot(keyGroup);
        if (slot >= 0) {
            cursor.enterKeyGroup(keyGroup, slot);
            // The page before the first that begins at or above the key may end at or above it.
            int ceiling = index.ceiling(slot, fromOrderKey) - index.firstPage(slot);
            cursor.nextPage = Math.max(0, ceiling - 1);
            cursor.seekFrom = fromOrderKey;
        }
        return cursor;
    }

    /**
     * Moves to the next record.
     *
     * @return false when there is none
     */
    public boolean next() throws IOException {
        while (record + 1 >= records) {
            if (nextPage < pagesInKeyGroup) {
                loadPage();
            } else if (!nextKeyGroup()) {
                return false;
            }
        }
        record++;
        show();
        return true;
    }

    /** Returns the key group of the record. */
    public int keyGroup() {
        return keyGroup;
    }

    /** Returns the order key of the record. */
    public long orderKey() {
        return orderKey;
    }

    /** Returns what the record does to its key. */
    public RecordKind kind() {
        return kind;
    }

    /** Returns the composite key including its key-group prefix. */
    public ByteSlice key() {
        return key;
    }

    /** Returns the length of the whole value. */
    public long valueBytes() {
        return value.length();
    }

    /**
     * Returns the whole value.
     *
     * @throws IOException when it cannot be read, or is too large for an array
     */
    public ByteSlice value() throws IOException {
        return value.whole();
    }

    /**
     * Reads on in the value, from its beginning at the first call.
     *
     * @return the number of bytes read, at least 1 when {@code length} is, or -1 at the end
     */
    public int readValue(byte[] target, int offset, int length) throws IOException {
        return value.read(target, offset, length);
    }

    private boolean nextKeyGroup() {
        while (keyGroup < lastKeyGroup) {
            int found = index.slot(keyGroup + 1);
            enterKeyGroup(keyGroup + 1, found);
            if (found >= 0) {
                return true;
            }
        }
        return false;
    }

    private void enterKeyGroup(int entered, int enteredSlot) {
        keyGroup = entered;
        slot = enteredSlot;
        nextPage = 0;
        pagesInKeyGroup = enteredSlot >= 0 ? index.pages(enteredSlot) : 0;
        records = 0;
        record = -1;
        seekFrom = 0;
    }

    private void loadPage() throws IOException {
        int at = index.firstPage(slot) + (int) nextPage;
        index.show(run.segment(), at, pages, view);
        view.buffer.get(view.offset, page.buffer.array(), 0, view.length);
        page.length = view.length;
        currentPage = nextPage;
        nextPage++;
        records = PageSearch.records(page);
        record = -1;
        if (seekFrom != 0 && records > 0) {
            int position = index.firstPage(slot) + (int) currentPage;
            double fraction = PageSearch.fraction(seekFrom, index.firstOrderKey(position), -1);
            record = PageSearch.lowerBound(page, records, seekFrom, fraction) - 1;
            if (record + 1 < records) {
                seekFrom = 0;
            }
        }
    }

    private void show() throws IOException {
        ByteBuffer buffer = page.buffer;
        int start = PageSearch.recordIndex(page, records, record);
        orderKey = buffer.getLong(PageSearch.orderKeyIndex(page, records, record));
        head.read(buffer, start);
        kind = head.kind(run.segment());
        int valueIndex = head.keyIndex + head.keyBytes;
        if (start + head.recordBytes(start) <= PageSearch.orderKeyIndex(page, records, 0)) {
            key.set(buffer.array(), head.keyIndex, head.keyBytes);
            value.set(buffer.array(), valueIndex, (int) head.valueBytes);
        } else {
            showContinued(head.recordBytes(start));
        }
    }

    /** Reads the key of a record that goes on over several pages, and passes these over. */
    private void showContinued(long recordBytes) throws IOException {
        int pageBytes = run.segment().pageBytes();
        nextPage = currentPage + PageDescriptor.pagesOf(recordBytes, pageBytes);
        RecordStream stream = value.stream(head.valueBytes);
        stream.start(
                run.segment(),
                pages,
                index,
                slot,
                index.firstPage(slot) + (int) currentPage,
                head.keyIndex);
        int keyEnd = head.keyIndex + head.keyBytes;
        if (keyEnd <= PageDescriptor.singleRecordBytes(pageBytes)) {
            key.set(page.buffer.array(), head.keyIndex, head.keyBytes);
            stream.skip(head.keyBytes);
        } else {
            if (continuedKey.length < head.keyBytes) {
                continuedKey = new byte[head.keyBytes];
            }
            stream.readFully(continuedKey, 0, head.keyBytes);
            key.set(continuedKey, 0, head.keyBytes);
        }
        stream.mark();
    }
}
