/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.StorageDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * One open segment: immutable, thread-safe and reference-counted.
 *
 * <p>{@link #open} hands out the first reference. Whoever keeps the segment beyond the life of the
 * one who gave it calls {@link #retain}; the last {@link #release} closes the file and deletes it.
 */
public final class Segment {

    private Segment() {}

    /**
     * Opens a segment and verifies all its metadata (I4); its count of references is then 1.
     *
     * @param present the key groups whose ranges the file holds: {@link KeyGroupSpan#ALL} for a
     *     whole file; index and filters of others are neither read nor verified
     * @throws io.strata.flink.format.bytes.FormatException when the file is corrupt, another file,
     *     or of a version that this build does not read
     */
    public static Segment open(StorageDirectory dir, SegmentId id, KeyGroupSpan present)
            throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Returns the identity. */
    public SegmentId id() {
        throw new UnsupportedOperationException();
    }

    /** Returns a number that no other segment opened by this process has. */
    public int serial() {
        throw new UnsupportedOperationException();
    }

    /** Returns the length of the file, holes included. */
    public long fileBytes() {
        throw new UnsupportedOperationException();
    }

    /** Returns the bytes of a full page. */
    public int pageBytes() {
        throw new UnsupportedOperationException();
    }

    /** Returns the runs in the order in which they were written; the position is the ordinal. */
    public List<Run> runs() {
        throw new UnsupportedOperationException();
    }

    /** Returns the key groups whose ranges the file holds. */
    public KeyGroupSpan present() {
        throw new UnsupportedOperationException();
    }

    /** Returns the bytes of memory that index and filters take. */
    public long metadataBytes() {
        throw new UnsupportedOperationException();
    }

    /**
     * Adds a reference.
     *
     * @throws IllegalStateException when the last one was released already
     */
    public void retain() {
        throw new UnsupportedOperationException();
    }

    /**
     * Gives a reference back; the last one closes the file and deletes it.
     *
     * @throws IllegalStateException when the last one was released already
     * @throws java.io.UncheckedIOException when the file cannot be closed or deleted
     */
    public void release() {
        throw new UnsupportedOperationException();
    }

    /** Returns the number of references, for tests and checks of invariants. */
    public int references() {
        throw new UnsupportedOperationException();
    }

    /**
     * Reads one page from the file and verifies its checksum.
     *
     * @param offset where the page begins in the file
     * @param target the buffer that gets {@code length} bytes from {@code targetIndex} on; its
     *     position and limit stay as they are
     */
    public void readPage(long offset, int length, ByteBuffer target, int targetIndex)
            throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Reads all present data and verifies it against directory and page checksums: a scrub. */
    public void verifyData() throws IOException {
        throw new UnsupportedOperationException();
    }
}
