/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.compaction.MergeCursor;
import io.strata.flink.format.segment.RecordKind;
import java.io.IOException;
import java.io.InterruptedIOException;

/**
 * The entries of one keyed state, copied from its runs as they are: keys and values have the bytes
 * of the canonical form already.
 */
final class RunEntries implements SavedEntries {

    /** The form has a value as one array, with an int for its length. */
    static final long MAX_VALUE_BYTES = Integer.MAX_VALUE - 16;

    private static final int RECORDS_BETWEEN_CHECKS = 1024;
    private static final byte[] NOTHING = {};

    private final SavedState state;
    private final MergeCursor merge;
    private final long maxValueBytes;
    private byte[] key = NOTHING;
    private byte[] value = NOTHING;
    private int untilCheck;

    /** Whether {@link #merge} stands on an entry of a key group that was not asked for yet. */
    private boolean ahead;

    /**
     * Creates it before the first entry.
     *
     * @param merge all runs of the state, so that nothing older holds any of its keys (I5)
     * @param maxValueBytes longer values are refused
     */
    RunEntries(SavedState state, MergeCursor merge, long maxValueBytes) {
        this.state = state;
        this.merge = merge;
        this.maxValueBytes = maxValueBytes;
    }

    @Override
    public int stateId() {
        return state.id();
    }

    @Override
    public boolean next(int keyGroup) throws IOException {
        while (ahead || advance()) {
            ahead = merge.keyGroup() > keyGroup;
            if (ahead) {
                return false;
            }
            if (merge.keyGroup() < keyGroup) {
                throw new IllegalStateException(
                        "State '%s': key group %d comes after key group %d."
                                .formatted(state.name(), merge.keyGroup(), keyGroup));
            }
            if (take()) {
                return true;
            }
        }
        return false;
    }

    /** Moves to the next key that has a value. */
    private boolean advance() throws IOException {
        while (merge.next()) {
            if (--untilCheck <= 0) {
                checkInterrupted();
            }
            if (merge.kind() != RecordKind.DELETE) {
                return true;
            }
        }
        return false;
    }

    /** Many entries may be passed over without anything being written, which would notice. */
    private void checkInterrupted() throws InterruptedIOException {
        untilCheck = RECORDS_BETWEEN_CHECKS;
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException(
                    "The savepoint was cancelled while it read state '" + state.name() + "'.");
        }
    }

    /** Returns false when the filter leaves the entry out. */
    private boolean take() throws IOException {
        byte[] whole = readValue();
        byte[] kept = state.filter() == null ? whole : state.filter().filter(whole);
        if (kept == null) {
            return false;
        }
        key = merge.key().toArray();
        value = kept;
        return true;
    }

    private byte[] readValue() throws IOException {
        long length = merge.valueBytes();
        if (length > maxValueBytes) {
            throw new IOException(
                    ("State '%s' holds a value of %d bytes for one key (in key group %d). A canonical"
                                    + " savepoint takes %d bytes at most. Take a native savepoint"
                                    + " (bin/flink savepoint --type native), or make the value"
                                    + " smaller.")
                            .formatted(state.name(), length, merge.keyGroup(), maxValueBytes));
        }
        byte[] bytes = new byte[(int) length];
        for (int done = 0; done < bytes.length; ) {
            int read = merge.readValue(bytes, done, bytes.length - done);
            if (read < 0) {
                throw new IOException(
                        "State '%s': a value ends after %d of %d bytes."
                                .formatted(state.name(), done, bytes.length));
            }
            done += read;
        }
        return bytes;
    }

    @Override
    public byte[] key() {
        return key;
    }

    @Override
    public byte[] value() {
        return value;
    }
}
