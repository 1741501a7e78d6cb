/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.RecordKind;
import java.io.IOException;

/**
 * The record a lookup found, reusable for the next lookup.
 *
 * <p>Belongs to one thread. A value within one page is copied into it at once; of a larger one the
 * pages are read on demand, so its segment must stay retained, while the page source may be used
 * for other things in between.
 */
public final class FoundRecord {

    /** Scratch of the lookup itself, kept here so that lookups allocate nothing. */
    final PageView page = new PageView();

    final RecordHead head = new RecordHead();

    /** How many records the page of the last lookup had. */
    int expectedRecords;

    /** Keeps what {@link PageSearch#touch} read, so that it is read. */
    long touched;

    private final ByteSlice key = new ByteSlice();
    private final RecordValue value = new RecordValue();
    private RecordKind kind;

    /** Returns what the record does to its key. */
    public RecordKind kind() {
        return kind;
    }

    /** Returns the key that was looked up: the caller's own bytes, not a copy. */
    public ByteSlice key() {
        return key;
    }

    /** Returns the length of the whole value. */
    public long valueBytes() {
        return value.length();
    }

    /**
     * Returns the whole value, valid until the next lookup into this record.
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

    /** Takes over the record of {@link #head} and {@link #page}, which lies within that page. */
    void setInPage(RecordKind foundKind, ByteSlice lookedUp) {
        kind = foundKind;
        key.set(lookedUp);
        value.copy(page.buffer, head.keyIndex + head.keyBytes, (int) head.valueBytes);
    }

    /** Takes over the record of {@link #head}, whose value the stream reads when asked. */
    RecordStream setStreamed(RecordKind foundKind, ByteSlice lookedUp) {
        kind = foundKind;
        key.set(lookedUp);
        return value.stream(head.valueBytes);
    }
}
