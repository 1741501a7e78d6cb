/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Single decisions; {@code ManyStatesTest} shows what they come to. */
class SegmentPolicyTest {

    private static final long SEED = Long.getLong("strata.seed", 20260101);
    private static final long MIB = 1 << 20;

    private final SegmentPolicy policy = new SegmentPolicy(4);

    @Test
    void nothingToClean() {
        assertThat(policy.plan(List.of())).isEmpty();
        assertThat(policy.plan(List.of(whole(100), whole(1)))).isEmpty();
        assertThat(policy.plan(List.of(use(100, 90), use(100, 70)))).isEmpty();
    }

    @Test
    void garbageGoesFromWhereLeastIsRewritten() {
        List<SegmentUse> segments = List.of(whole(100), use(100, 50), use(100, 1), whole(100));
        assertThat(policy.plan(segments)).containsExactly(2);
    }

    @Test
    void segmentsWithoutGarbageAreLeftAlone() {
        List<SegmentUse> segments = List.of(use(100, 95), use(100, 10), use(100, 95));
        assertThat(policy.plan(segments)).containsExactly(1);
    }

    @Test
    void smallSegmentsAreCleanedTogether() {
        List<SegmentUse> segments = List.of(whole(1_000), whole(2), whole(1), whole(900), whole(3));
        assertThat(policy.plan(segments)).containsExactly(2, 1, 4);
    }

    @Test
    void busySegmentsAreNotTouched() {
        List<SegmentUse> segments =
                List.of(whole(1_000), whole(2), new SegmentUse(1, 1, true), whole(900), whole(3));
        assertThat(policy.plan(segments)).containsExactly(1, 4);
    }

    /** More segments are allowed the more there is in them. */
    @Test
    void manyLargeSegmentsAreAllowed() {
        List<SegmentUse> segments = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            segments.add(whole(20 * MIB));
        }
        assertThat(policy.plan(segments)).isEmpty();
    }

    @Test
    void littleIsRewrittenInOneGo() {
        List<SegmentUse> segments = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            segments.add(whole(3 * MIB));
        }
        assertThat(policy.plan(segments)).hasSize(5);
    }

    /** Whatever there is: following the plans comes to an end, and then the bounds hold. */
    @Test
    void plansLeadWithinTheBounds() {
        Random random = new Random(SEED);
        for (int i = 0; i < 500; i++) {
            List<SegmentUse> segments = new ArrayList<>();
            for (int j = random.nextInt(200); j > 0; j--) {
                long held = 1 + (long) Math.pow(10, 9 * random.nextDouble());
                segments.add(use(held, (long) (held * random.nextDouble())));
            }
            int steps = 0;
            for (List<Integer> plan = policy.plan(segments);
                    !plan.isEmpty();
                    plan = policy.plan(segments)) {
                List<SegmentUse> chosen = plan.stream().map(segments::get).toList();
                long live = chosen.stream().mapToLong(SegmentUse::liveBytes).sum();
                segments.removeAll(chosen);
                if (live > 0) {
                    segments.add(whole(live));
                }
                assertThat(++steps).as("seed %d, case %d", SEED, i).isLessThan(400);
            }
            long held = segments.stream().mapToLong(SegmentUse::heldBytes).sum();
            long live = segments.stream().mapToLong(SegmentUse::liveBytes).sum();
            assertThat(held).isLessThanOrEqualTo((long) (SegmentPolicy.MAX_HELD * live));
            assertThat((long) segments.size()).isLessThanOrEqualTo(policy.maxSegments(live));
        }
    }

    private static SegmentUse whole(long bytes) {
        return use(bytes, bytes);
    }

    private static SegmentUse use(long held, long live) {
        return new SegmentUse(held, live, false);
    }
}
