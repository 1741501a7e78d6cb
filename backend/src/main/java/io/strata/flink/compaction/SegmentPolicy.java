/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Decides which segments to clean, that is, to rewrite the runs of them that are still in use, so
 * that the files can go. A pure function of what the segments hold.
 *
 * <p>A segment stays on disk as long as one of its runs is in use. With many states, a rarely
 * written one keeps the segments of large flushes for its few records, and every state keeps
 * segments of its own for merged runs. Two rules, the first that applies:
 *
 * <ol>
 *   <li><em>Garbage.</em> When all segments hold more than {@link #MAX_HELD} times what is in use,
 *       clean those with the least part in use: they give back most for what is rewritten.
 *   <li><em>Files.</em> When there are more segments than {@link #maxSegments}, clean the {@code j}
 *       with the fewest bytes in use, for the {@code j} with the least bytes by the room that the
 *       places won make, as {@link CompactionPolicy} does with runs. So small segments are merged
 *       among themselves, and a byte is rewritten a few times only, however many states there are.
 * </ol>
 *
 * <p>Parameters and measurements: {@code docs/adr/0010-segments-are-cleaned.md}.
 */
public final class SegmentPolicy {

    /** Segments that there may be, however little they hold. */
    public static final int FEW_SEGMENTS = 64;

    /** One more segment is allowed for so many bytes in use. */
    static final long BYTES_PER_SEGMENT = 16L << 20;

    /** Bytes on disk over bytes in use, above which segments are cleaned. */
    static final double MAX_HELD = 1.3;

    /** Cleaning for garbage goes on until bytes on disk over bytes in use are no more than this. */
    private static final double ENOUGH = 1.2;

    /** A segment with a larger part in use is not worth cleaning for its garbage. */
    private static final double MAX_LIVE_PART = 0.9;

    /** At most so many bytes are rewritten in one go, unless it is one segment alone. */
    private static final long MAX_CLEANED_BYTES = 16L << 20;

    private final int fewSegments;

    /**
     * Creates a policy.
     *
     * @param fewSegments segments that there may be, however little they hold
     */
    public SegmentPolicy(int fewSegments) {
        this.fewSegments = fewSegments;
    }

    /** Returns how many segments there may be. */
    public long maxSegments(long liveBytes) {
        return fewSegments + liveBytes / BYTES_PER_SEGMENT;
    }

    /**
     * Says which segments to clean.
     *
     * @return positions in the list, none of a busy segment; empty when nothing is due
     */
    public List<Integer> plan(List<SegmentUse> segments) {
        long heldBytes = segments.stream().mapToLong(SegmentUse::heldBytes).sum();
        long liveBytes = segments.stream().mapToLong(SegmentUse::liveBytes).sum();
        List<Integer> idle = new ArrayList<>();
        for (int i = 0; i < segments.size(); i++) {
            if (!segments.get(i).busy()) {
                idle.add(i);
            }
        }
        List<Integer> chosen = List.of();
        if (heldBytes > MAX_HELD * liveBytes) {
            chosen = mostGarbage(segments, idle, heldBytes - ENOUGH * liveBytes);
        }
        return chosen.isEmpty() && segments.size() > maxSegments(liveBytes)
                ? fewestBytes(segments, idle)
                : chosen;
    }

    private static List<Integer> mostGarbage(
            List<SegmentUse> segments, List<Integer> idle, double excessBytes) {
        idle.sort(Comparator.comparingDouble(i -> segments.get(i).livePart()));
        double left = excessBytes;
        long rewritten = 0;
        int count = 0;
        while (count < idle.size() && left > 0) {
            SegmentUse next = segments.get(idle.get(count));
            rewritten += next.liveBytes();
            if (next.livePart() > MAX_LIVE_PART || (count > 0 && rewritten > MAX_CLEANED_BYTES)) {
                break;
            }
            left -= next.heldBytes() - next.liveBytes();
            count++;
        }
        return idle.subList(0, count);
    }

    private static List<Integer> fewestBytes(List<SegmentUse> segments, List<Integer> idle) {
        idle.sort(Comparator.comparingLong(i -> segments.get(i).liveBytes()));
        double leastCost = Double.MAX_VALUE;
        long bytes = 0;
        int best = 0;
        for (int count = 1; count <= idle.size(); count++) {
            bytes += segments.get(idle.get(count - 1)).liveBytes();
            if (count > 2 && bytes > MAX_CLEANED_BYTES) {
                break;
            }
            double cost = count < 2 ? Double.MAX_VALUE : bytes / CompactionPolicy.room(count - 1);
            if (cost < leastCost) {
                leastCost = cost;
                best = count;
            }
        }
        return idle.subList(0, best);
    }
}
