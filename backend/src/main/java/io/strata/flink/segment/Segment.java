/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.BoundedReader;
import io.strata.flink.format.bytes.Checksums;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.PageDescriptor;
import io.strata.flink.format.segment.RunDirectory;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.io.StorageInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One open segment: immutable, thread-safe and reference-counted.
 *
 * <p>{@link #open} hands out the first reference. Whoever keeps the segment beyond the life of the
 * one who gave it calls {@link #retain}; the last {@link #release} closes the file and deletes it.
 */
public final class Segment {

    private static final AtomicInteger NEXT_SERIAL = new AtomicInteger();

    private final StorageDirectory directory;
    private final StorageInput input;
    private final SegmentLayout layout;
    private final KeyGroupSpan present;
    private final int serial = NEXT_SERIAL.getAndIncrement();
    private final int pageBytes;
    private final List<Run> runs;
    private SegmentMemory.Piece indexes;

    /** Null when there was no memory for them. */
    private SegmentMemory.Piece filters;

    private final AtomicInteger references = new AtomicInteger(1);

    private Segment(
            StorageDirectory directory,
            StorageInput input,
            SegmentLayout layout,
            KeyGroupSpan present,
            SegmentMemory memory)
            throws IOException {
        this.directory = directory;
        this.input = input;
        this.layout = layout;
        this.present = present;
        this.pageBytes = layout.header().pageBytes();
        this.runs = openRuns(memory);
    }

    private List<Run> openRuns(SegmentMemory memory) throws IOException {
        long indexBytes = 0;
        long filterBytes = 0;
        for (RunDirectory run : layout.footer().runs()) {
            indexBytes += RunIndex.indexBytes(layout.header(), run.within(present));
            filterBytes += RunIndex.filterBytes(run.within(present));
        }
        indexes = memory.forIndex(Math.toIntExact(indexBytes));
        boolean all = false;
        try {
            filters = filterBytes > Integer.MAX_VALUE ? null : memory.forFilters((int) filterBytes);
            List<Run> opened = loadRuns();
            all = true;
            return opened;
        } finally {
            if (!all) {
                freeMemory();
            }
        }
    }

    private List<Run> loadRuns() throws IOException {
        ByteBuffer index = indexes.buffer().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer filter =
                filters == null
                        ? null
                        : filters.buffer().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        List<Run> opened = new ArrayList<>();
        for (RunDirectory run : layout.footer().runs()) {
            RunIndex loaded =
                    RunIndex.load(input, layout.header(), run.within(present), index, filter);
            opened.add(new Run(this, opened.size(), run, loaded));
        }
        return List.copyOf(opened);
    }

    private void freeMemory() {
        indexes.free();
        if (filters != null) {
            filters.free();
        }
    }

    /**
     * Opens a segment and verifies all its metadata (I4); its count of references is then 1.
     *
     * @param present the key groups whose ranges the file holds: {@link KeyGroupSpan#ALL} for a
     *     whole file; index and filters of others are neither read nor verified
     * @param memory gets index and filters
     * @throws io.strata.flink.format.bytes.FormatException when the file is corrupt, another file,
     *     or of a version that this build does not read
     */
    public static Segment open(
            StorageDirectory dir, SegmentId id, KeyGroupSpan present, SegmentMemory memory)
            throws IOException {
        String name = id.fileName();
        StorageInput input = dir.open(name);
        try {
            SegmentLayout layout =
                    SegmentLayout.read(name, id, input.sizeBytes(), input::readFully);
            return new Segment(dir, input, layout, present, memory);
        } catch (Throwable failure) {
            try {
                input.close();
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
            throw failure;
        }
    }

    /** As the other one, with index and filters on the heap. */
    public static Segment open(StorageDirectory dir, SegmentId id, KeyGroupSpan present)
            throws IOException {
        return open(dir, id, present, SegmentMemory.HEAP);
    }

    /** Returns the identity. */
    public SegmentId id() {
        return layout.header().id();
    }

    /** Returns a number that no other segment opened by this process has. */
    public int serial() {
        return serial;
    }

    /** Returns the length of the file, holes included. */
    public long fileBytes() {
        return layout.fileBytes();
    }

    /** Returns the bytes of a full page. */
    public int pageBytes() {
        return pageBytes;
    }

    /** Returns the runs in the order in which they were written; the position is the ordinal. */
    public List<Run> runs() {
        return runs;
    }

    /** Returns the key groups whose ranges the file holds. */
    public KeyGroupSpan present() {
        return present;
    }

    /** Returns where everything is in the file. */
    public SegmentLayout layout() {
        return layout;
    }

    /** Returns the bytes of memory that index and filters take. */
    public long metadataBytes() {
        return runs.stream().mapToLong(Run::metadataBytes).sum();
    }

    /**
     * Adds a reference.
     *
     * @throws IllegalStateException when the last one was released already
     */
    public void retain() {
        references.updateAndGet(count -> requireReferenced(count) + 1);
    }

    /**
     * Gives a reference back; the last one closes the file and deletes it.
     *
     * @throws IllegalStateException when the last one was released already
     * @throws UncheckedIOException when the file cannot be closed or deleted
     */
    public void release() {
        if (references.updateAndGet(count -> requireReferenced(count) - 1) == 0) {
            freeMemory();
            try {
                closeAndDelete();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void closeAndDelete() throws IOException {
        try {
            input.close();
        } catch (IOException e) {
            try {
                directory.delete(id().fileName());
            } catch (IOException later) {
                e.addSuppressed(later);
            }
            throw e;
        }
        directory.delete(id().fileName());
    }

    /**
     * Gives a reference to each segment back, also when that fails for some of them.
     *
     * @param segments nulls among them are passed over
     * @throws RuntimeException the first failure, with later ones attached
     */
    public static void releaseAll(Iterable<Segment> segments) {
        RuntimeException failure = null;
        for (Segment segment : segments) {
            try {
                if (segment != null) {
                    segment.release();
                }
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Returns the number of references, for tests and checks of invariants. */
    public int references() {
        return references.get();
    }

    /** Reads all present data and verifies it against directory and page checksums: a scrub. */
    public void verifyData() throws IOException {
        SegmentVerifier verifier = new SegmentVerifier(this);
        for (Run run : runs) {
            verifier.verify(run);
        }
    }

    /** Fills a buffer from the file, without verifying anything. */
    void read(long offset, ByteBuffer target) throws IOException {
        input.readFully(offset, target);
    }

    /** Verifies the checksum of a page in a little-endian buffer. */
    void verifyPage(long offset, int length, ByteBuffer page, int index)
            throws CorruptFormatException {
        int covered = length - PageDescriptor.CHECKSUM_BEFORE_END;
        int expected = covered < 0 ? 0 : page.getInt(index + covered);
        int found = covered < 0 ? 1 : Checksums.crc32c(page, index, covered) ^ (int) offset;
        if (expected != found) {
            BoundedReader.requireChecksum(id().fileName(), "page at " + offset, expected, found);
        }
    }

    private int requireReferenced(int count) {
        if (count <= 0) {
            throw new IllegalStateException("segment " + id() + " was released already");
        }
        return count;
    }

    @Override
    public String toString() {
        return "Segment " + id() + " of key groups " + present;
    }
}
