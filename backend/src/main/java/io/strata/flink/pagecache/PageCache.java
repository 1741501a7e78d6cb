/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.pagecache;

import io.strata.flink.segment.PageInflater;
import io.strata.flink.segment.PageSource;
import io.strata.flink.segment.PageView;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentMemory;
import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The pages of one backend's segments that are in memory.
 *
 * <p>Frames of {@code pageBytes} lie in slabs from a shared {@link PageMemory}; a page shorter than
 * a frame takes a whole one. When no frame can be had, and for pages longer than a frame (written
 * under another page size), a page is read through one scratch page, so the cache works with any
 * budget, even none.
 *
 * <p>A page's identity is (segment serial, offset). Segments are immutable and serials are never
 * reused, so a page never goes stale; pages of segments that are gone age out, at once with {@link
 * #evictSegment}. Which page makes room is {@link Replacement}'s decision.
 *
 * <p>Threads: the task thread alone, except {@link #hits}, {@link #misses} and {@link
 * #allocatedBytes}, which any thread may read, and {@code owedBytes}, by which {@link PageMemory}
 * asks for slabs back.
 */
public final class PageCache implements PageSource, Closeable {

    private static final VarHandle HITS = counter("hits");
    private static final VarHandle MISSES = counter("misses");

    /** Under the lock of {@link PageMemory} alone: what is kept free there for this cache. */
    long claimedBytes;

    /** Written under the lock of {@link PageMemory}: the memory to give back at the next access. */
    volatile long owedBytes;

    private final PageMemory memory;
    private final int pageBytes;
    private final int frameShift;
    private final int frameMask;
    private final PageTable table = new PageTable();
    private final Replacement replacement = new Replacement(table);
    private final PageInflater inflater = new PageInflater();
    private final List<Slab> slabs = new ArrayList<>();
    private ByteBuffer[] buffers = new ByteBuffer[0];

    /** Frames that hold no page, a stack. */
    private int[] freeFrames = new int[0];

    private int freeCount;
    private ByteBuffer scratch = allocateScratch(0);
    private boolean closed;
    private volatile long allocatedBytes;

    @SuppressWarnings("UnusedVariable") // through HITS
    private long hits;

    @SuppressWarnings("UnusedVariable") // through MISSES
    private long misses;

    PageCache(PageMemory memory, int pageBytes, int framesPerSlab) {
        this.memory = memory;
        this.pageBytes = pageBytes;
        this.frameShift = Integer.numberOfTrailingZeros(framesPerSlab);
        this.frameMask = framesPerSlab - 1;
    }

    @Override
    public void page(Segment segment, long offset, int storedBytes, int length, PageView out)
            throws IOException {
        if (owedBytes != 0) {
            giveBackOwed();
        }
        int frame = table.touch(segment.serial(), offset);
        if (frame >= 0) {
            HITS.setOpaque(this, hits + 1);
        } else {
            MISSES.setOpaque(this, misses + 1);
            frame =
                    length <= pageBytes
                            ? load(segment, offset, storedBytes, length)
                            : PageTable.NONE;
            if (frame < 0) {
                readScratch(segment, offset, storedBytes, length, out);
                return;
            }
        }
        out.set(buffers[frame >>> frameShift], (frame & frameMask) * pageBytes, length);
    }

    /** Returns where segments keep their indexes and filters: the memory that pages share. */
    public SegmentMemory segmentMemory() {
        return memory.segmentMemory();
    }

    /** Returns how many pages were found here. */
    public long hits() {
        return (long) HITS.getOpaque(this);
    }

    /** Returns how many pages were not. */
    public long misses() {
        return (long) MISSES.getOpaque(this);
    }

    /** Returns the bytes of the slabs that this cache has now. */
    public long allocatedBytes() {
        return allocatedBytes;
    }

    /** Drops the pages of a segment that nobody will ask for again, at a cost linear in frames. */
    public void evictSegment(int serial) {
        for (int frame = 0; frame < frameCount(); frame++) {
            if (table.holdsPage(frame) && table.serialOf(frame) == serial) {
                table.removeFrame(frame);
                freeFrames[freeCount++] = frame;
            }
        }
        replacement.forgetRemoved();
    }

    /** Gives all memory back; a second call does nothing. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        while (!slabs.isEmpty()) {
            dropLastSlab();
        }
        memory.leave(this);
    }

    int slabBytes() {
        return (frameMask + 1) * pageBytes;
    }

    /** Checks every link between frames, free frames, slabs and the table; for tests. */
    void checkStructure() {
        table.checkStructure();
        replacement.checkStructure();
        boolean[] free = new boolean[frameCount()];
        for (int i = 0; i < freeCount; i++) {
            int frame = freeFrames[i];
            if (free[frame] || table.holdsPage(frame)) {
                throw new IllegalStateException("frame " + frame + " is not free, or twice");
            }
            free[frame] = true;
        }
        if (table.size() + freeCount != frameCount()) {
            throw new IllegalStateException(
                    "%d pages and %d free frames in %d frames"
                            .formatted(table.size(), freeCount, frameCount()));
        }
        if (allocatedBytes != (long) slabs.size() * slabBytes()) {
            throw new IllegalStateException(
                    slabs.size() + " slabs do not make " + allocatedBytes + " bytes");
        }
    }

    private int frameCount() {
        return slabs.size() << frameShift;
    }

    /** Reads a page into a frame, or returns {@link PageTable#NONE} when there is no frame. */
    private int load(Segment segment, long offset, int storedBytes, int length) throws IOException {
        int frame = takeFrame();
        if (frame < 0) {
            return frame;
        }
        // Until the page is whole the frame counts as free, so a failed read leaves no trace.
        freeFrames[freeCount++] = frame;
        ByteBuffer buffer = buffers[frame >>> frameShift];
        inflater.read(
                segment, offset, storedBytes, length, buffer, (frame & frameMask) * pageBytes);
        freeCount--;
        table.insert(segment.serial(), offset, frame);
        replacement.enter(frame);
        return frame;
    }

    private void readScratch(
            Segment segment, long offset, int storedBytes, int length, PageView out)
            throws IOException {
        if (scratch.capacity() < length) {
            scratch = allocateScratch(Math.max(length, pageBytes));
        }
        inflater.read(segment, offset, storedBytes, length, scratch, 0);
        out.set(scratch, 0, length);
    }

    private int takeFrame() {
        if (closed) {
            throw new IllegalStateException("the page cache is closed");
        }
        if (freeCount == 0 && memory.worthAsking(this)) {
            Slab slab = memory.acquire(this);
            if (slab != null) {
                addSlab(slab);
            }
        }
        if (freeCount > 0) {
            return freeFrames[--freeCount];
        }
        return slabs.isEmpty() ? PageTable.NONE : replacement.leave();
    }

    private void addSlab(Slab slab) {
        int first = frameCount();
        slabs.add(slab);
        allocatedBytes = (long) slabs.size() * slabBytes();
        buffers = Arrays.copyOf(buffers, slabs.size());
        buffers[slabs.size() - 1] = slab.buffer().duplicate().order(ByteOrder.LITTLE_ENDIAN);
        table.ensureFrames(frameCount());
        replacement.setFrames(frameCount());
        freeFrames = Arrays.copyOf(freeFrames, frameCount());
        for (int frame = frameCount() - 1; frame >= first; frame--) {
            freeFrames[freeCount++] = frame;
        }
    }

    private void giveBackOwed() {
        while (owedBytes > 0 && !slabs.isEmpty()) {
            dropLastSlab();
        }
    }

    private void dropLastSlab() {
        int last = slabs.size() - 1;
        int first = last << frameShift;
        for (int frame = first; frame < frameCount(); frame++) {
            if (table.holdsPage(frame)) {
                table.removeFrame(frame);
            }
        }
        int kept = 0;
        for (int i = 0; i < freeCount; i++) {
            if (freeFrames[i] < first) {
                freeFrames[kept++] = freeFrames[i];
            }
        }
        freeCount = kept;
        Slab slab = slabs.remove(last);
        buffers = Arrays.copyOf(buffers, last);
        replacement.setFrames(first);
        allocatedBytes = (long) last * slabBytes();
        memory.giveBack(this, slab);
    }

    private static ByteBuffer allocateScratch(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static VarHandle counter(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(PageCache.class, field, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
