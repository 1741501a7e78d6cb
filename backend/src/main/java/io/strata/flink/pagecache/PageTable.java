/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.pagecache;

import java.util.Arrays;

/**
 * Maps (segment serial, offset) to a frame: an open-addressing hash table in one array.
 *
 * <p>A slot is two longs next to each other, so that a hit touches one cache line here:
 *
 * <pre>
 *   word 0   offset of the page in its file
 *   word 1   63            32 31 30 29              0
 *            | segment serial |f |p | frame number + 1 |     f: found since somebody looked last
 *                                                          p: on probation
 *                                                          all zero: the slot is empty
 * </pre>
 *
 * <p>Collisions go to the next slot; removal shifts later ones back, so there are no gravestones.
 * At most half of the slots are taken. Task thread only.
 */
final class PageTable {

    static final int NONE = -1;

    private static final long FOUND = 1L << 31;
    private static final long PROBATION = 1L << 30;
    private static final long FRAME_MASK = PROBATION - 1;
    private static final int MIN_SLOTS = 16;

    private long[] words = new long[2 * MIN_SLOTS];
    private int slotMask = MIN_SLOTS - 1;
    private int size;

    /**
     * Found again at once, a page was not found once more: one record asks for it several times.
     */
    private int lastFrame = NONE;

    /** The slot of each frame, {@link #NONE} for a frame that holds no page. */
    private int[] slotOfFrame = new int[0];

    /** Makes room for frames below {@code frames}; never shrinks. */
    void ensureFrames(int frames) {
        int known = slotOfFrame.length;
        if (frames > known) {
            slotOfFrame = Arrays.copyOf(slotOfFrame, Math.max(frames, known + (known >> 1)));
            Arrays.fill(slotOfFrame, known, slotOfFrame.length, NONE);
        }
        if (2 * frames > slotMask + 1) {
            rehash(Integer.highestOneBit(2 * frames - 1) << 1);
        }
    }

    int size() {
        return size;
    }

    /** Returns the frame of a page and marks it as found, or returns {@link #NONE}. */
    int touch(int serial, long offset) {
        long[] table = words;
        int mask = slotMask;
        int slot = home(serial, offset, mask);
        while (true) {
            long word = table[2 * slot + 1];
            if (word == 0) {
                return NONE;
            }
            if ((int) (word >>> 32) == serial && table[2 * slot] == offset) {
                int frame = (int) (word & FRAME_MASK) - 1;
                if (frame != lastFrame) {
                    lastFrame = frame;
                    if ((word & FOUND) == 0) {
                        table[2 * slot + 1] = word | FOUND;
                    }
                }
                return frame;
            }
            slot = (slot + 1) & mask;
        }
    }

    /** Adds a page that is not here, into a frame that holds none; it was not found yet. */
    void insert(int serial, long offset, int frame) {
        insertWord(offset, ((long) serial << 32) | (frame + 1));
        lastFrame = frame;
        size++;
    }

    boolean holdsPage(int frame) {
        return slotOfFrame[frame] != NONE;
    }

    int serialOf(int frame) {
        return (int) (words[2 * slotOfFrame[frame] + 1] >>> 32);
    }

    long offsetOf(int frame) {
        return words[2 * slotOfFrame[frame]];
    }

    /** Returns whether the frame's page was found since the last call, which this one forgets. */
    boolean clearFound(int frame) {
        int index = 2 * slotOfFrame[frame] + 1;
        boolean found = (words[index] & FOUND) != 0;
        words[index] &= ~FOUND;
        return found;
    }

    boolean isOnProbation(int frame) {
        return (words[2 * slotOfFrame[frame] + 1] & PROBATION) != 0;
    }

    void setOnProbation(int frame) {
        words[2 * slotOfFrame[frame] + 1] |= PROBATION;
    }

    void endProbation(int frame) {
        words[2 * slotOfFrame[frame] + 1] &= ~PROBATION;
    }

    /** Removes the page that a frame holds. */
    void removeFrame(int frame) {
        int hole = slotOfFrame[frame];
        slotOfFrame[frame] = NONE;
        size--;
        int slot = hole;
        while (true) {
            slot = (slot + 1) & slotMask;
            long word = words[2 * slot + 1];
            if (word == 0) {
                break;
            }
            int home = home((int) (word >>> 32), words[2 * slot], slotMask);
            // The entry may move into the hole unless its home lies after the hole, cyclically.
            if (((slot - home) & slotMask) >= ((slot - hole) & slotMask)) {
                place(hole, words[2 * slot], word);
                hole = slot;
            }
        }
        words[2 * hole] = 0;
        words[2 * hole + 1] = 0;
    }

    /** Checks that every slot is found, and that slots and frames name each other; for tests. */
    void checkStructure() {
        int taken = 0;
        for (int slot = 0; slot <= slotMask; slot++) {
            long word = words[2 * slot + 1];
            if (word == 0) {
                continue;
            }
            taken++;
            int frame = (int) (word & FRAME_MASK) - 1;
            check(slotOfFrame[frame] == slot, "frame %d is not at slot %d", frame, slot);
            int home = home((int) (word >>> 32), words[2 * slot], slotMask);
            for (int s = home; s != slot; s = (s + 1) & slotMask) {
                check(words[2 * s + 1] != 0, "gap at slot %d before slot %d", s, slot);
                boolean same =
                        words[2 * s] == words[2 * slot] && words[2 * s + 1] >>> 32 == word >>> 32;
                check(!same, "slots %d and %d hold the same page", s, slot);
            }
        }
        long mapped = Arrays.stream(slotOfFrame).filter(slot -> slot != NONE).count();
        check(taken == size, "%d slots taken, size %d", taken, size);
        check(mapped == size, "%d frames mapped, size %d", mapped, size);
        check(2 * size <= slotMask + 1, "%d of %d slots taken", size, slotMask + 1);
    }

    private static void check(boolean condition, String message, Object... arguments) {
        if (!condition) {
            throw new IllegalStateException("page table: " + message.formatted(arguments));
        }
    }

    private void rehash(int slots) {
        long[] old = words;
        words = new long[2 * slots];
        slotMask = slots - 1;
        for (int i = 0; i < old.length; i += 2) {
            if (old[i + 1] != 0) {
                insertWord(old[i], old[i + 1]);
            }
        }
    }

    private void insertWord(long offset, long word) {
        int slot = home((int) (word >>> 32), offset, slotMask);
        while (words[2 * slot + 1] != 0) {
            slot = (slot + 1) & slotMask;
        }
        place(slot, offset, word);
    }

    private void place(int slot, long offset, long word) {
        words[2 * slot] = offset;
        words[2 * slot + 1] = word;
        slotOfFrame[(int) (word & FRAME_MASK) - 1] = slot;
    }

    /** Multiplicative hashing, by the golden ratio and a second odd constant. */
    private static int home(int serial, long offset, int mask) {
        long h = (offset + serial * 0x9E3779B97F4A7C15L) * 0xD1B54A32D192ED03L;
        return (int) (h >>> 32) & mask;
    }
}
