/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.pagecache;

/**
 * Decides which page leaves when a frame is needed.
 *
 * <p>A newcomer is put on probation, a queue of about a fifth of the frames; its oldest page stays
 * if it was found meanwhile, and leaves otherwise. Over the others goes a hand that takes pages not
 * found since it passed last. Of each page that left, a fingerprint stays; who comes back meanwhile
 * needs no probation. A scan, which asks for each page once, so pushes out nothing but itself.
 *
 * <p>The idea is S3-FIFO (Yang et al., "FIFO queues are all you need for cache eviction", SOSP
 * 2023), with CLOCK in the place of its long queue: one bit a page, since more of them keep what
 * was used long ago, and a longer queue (docs/adr/0014). A hit costs no more than with CLOCK.
 * Memory: 6 to 8 bytes of heap a frame. Task thread only.
 */
final class Replacement {

    /** What part of the frames is on probation when a page has to leave. */
    private static final int PROBATION_PART = 5;

    private static final int MIN_GHOSTS = 64;
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private final PageTable table;

    /** The frames of the pages on probation, the oldest at {@link #ringStart}, circular. */
    private int[] ring = new int[0];

    private int ringStart;
    private int ringSize;

    /** A fingerprint stands at the index that its top bits give; 0 is none. */
    private int[] ghosts = new int[MIN_GHOSTS];

    private int frames;
    private int hand;

    Replacement(PageTable table) {
        this.table = table;
    }

    /** Follows the number of frames, after those beyond it have lost their pages. */
    void setFrames(int newFrames) {
        forgetRemoved(newFrames);
        frames = newFrames;
        hand = hand < frames ? hand : 0;
        int fitting = Math.max(MIN_GHOSTS, Integer.highestOneBit(Math.max(1, frames)));
        if (fitting != ghosts.length) {
            resizeGhosts(fitting);
        }
    }

    /** Takes pages that were removed by others than {@link #leave} out of the queue. */
    void forgetRemoved() {
        forgetRemoved(frames);
    }

    private void forgetRemoved(int capacity) {
        int[] kept = new int[capacity];
        int count = 0;
        for (int i = 0; i < ringSize; i++) {
            int frame = ring[(ringStart + i) % ring.length];
            if (table.holdsPage(frame)) {
                kept[count++] = frame;
            }
        }
        ring = kept;
        ringStart = 0;
        ringSize = count;
    }

    /** Adds the page that a frame has got. */
    void enter(int frame) {
        int fingerprint = fingerprint(table.serialOf(frame), table.offsetOf(frame));
        int index = index(ghosts, fingerprint);
        if (ghosts[index] == fingerprint) {
            ghosts[index] = 0;
        } else {
            table.setOnProbation(frame);
            int at = ringStart + ringSize;
            ring[at < ring.length ? at : at - ring.length] = frame;
            ringSize++;
        }
    }

    /** Chooses a page, of frames that all hold one, and removes it; returns its frame. */
    int leave() {
        while (true) {
            boolean fromProbation = (long) ringSize * PROBATION_PART >= table.size();
            int frame = fromProbation ? poll() : sweep();
            if (fromProbation && table.clearFound(frame)) {
                table.endProbation(frame);
            } else {
                int fingerprint = fingerprint(table.serialOf(frame), table.offsetOf(frame));
                ghosts[index(ghosts, fingerprint)] = fingerprint;
                table.removeFrame(frame);
                return frame;
            }
        }
    }

    private int poll() {
        int frame = ring[ringStart];
        ringStart = ringStart + 1 == ring.length ? 0 : ringStart + 1;
        ringSize--;
        return frame;
    }

    /** Moves the hand to the next page that was not found since; two rounds suffice. */
    private int sweep() {
        while (true) {
            int frame = hand;
            hand = hand + 1 == frames ? 0 : hand + 1;
            if (!table.isOnProbation(frame) && !table.clearFound(frame)) {
                return frame;
            }
        }
    }

    /** Checks that exactly the pages on probation are in the queue, each once; for tests. */
    void checkStructure() {
        boolean[] queued = new boolean[frames];
        for (int i = 0; i < ringSize; i++) {
            int frame = ring[(ringStart + i) % ring.length];
            if (queued[frame] || !table.holdsPage(frame) || !table.isOnProbation(frame)) {
                throw new IllegalStateException("frame " + frame + " is queued in vain, or twice");
            }
            queued[frame] = true;
        }
        for (int frame = 0; frame < frames; frame++) {
            if (table.holdsPage(frame) && table.isOnProbation(frame) && !queued[frame]) {
                throw new IllegalStateException("frame " + frame + " is not queued");
            }
        }
    }

    private void resizeGhosts(int length) {
        int[] resized = new int[length];
        for (int fingerprint : ghosts) {
            if (fingerprint != 0) {
                resized[index(resized, fingerprint)] = fingerprint;
            }
        }
        ghosts = resized;
    }

    private static int fingerprint(int serial, long offset) {
        long mixed = (offset + serial * 0xD1B54A32D192ED03L) * FACTOR;
        int fingerprint = (int) (((mixed ^ (mixed >>> 32)) * FACTOR) >>> 32);
        return fingerprint == 0 ? 1 : fingerprint;
    }

    private static int index(int[] array, int fingerprint) {
        return fingerprint >>> Integer.numberOfLeadingZeros(array.length - 1);
    }
}
