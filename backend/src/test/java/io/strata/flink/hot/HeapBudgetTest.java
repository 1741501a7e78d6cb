/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** How the budget is divided. */
class HeapBudgetTest {

    private static final long INTERVAL_NANOS = HeapBudget.INTERVAL_MILLIS * 1_000_000;

    private final HeapBudget budget = new HeapBudget(900);

    @Test
    void openLeasesShareEvenly() {
        HeapLease first = budget.lease();
        assertThat(first.limitBytes()).isEqualTo(900);
        HeapLease second = budget.lease();
        HeapLease third = budget.lease();
        assertThat(first.limitBytes()).isEqualTo(300);
        assertThat(second.limitBytes()).isEqualTo(300);
        second.close();
        assertThat(second.limitBytes()).isZero();
        assertThat(third.limitBytes()).isEqualTo(450);
        assertThat(budget.openLeases()).isEqualTo(2);
    }

    @Test
    void theTotalMayChangeAtAnyTime() {
        HeapLease lease = budget.lease();
        budget.setShare(0.25);
        assertThat(budget.totalBytes()).isEqualTo(225);
        assertThat(lease.limitBytes()).isEqualTo(225);
        budget.setShare(1);
        assertThat(lease.limitBytes()).isEqualTo(900);
        assertThatThrownBy(() -> budget.setShare(-0.5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-0.5");
    }

    /** Jobs with different settings in one process. */
    @Test
    void eachJobStaysWithinItsOwnSize() {
        HeapBudget process = new HeapBudget();
        HeapLease small = process.lease(100);
        assertThat(process.totalBytes()).isEqualTo(100);

        HeapLease large = process.lease(1_000);
        HeapLease alsoLarge = process.lease(1_000);
        assertThat(process.totalBytes()).isEqualTo(1_000);
        assertThat(small.limitBytes()).isEqualTo(100);
        assertThat(large.limitBytes()).isEqualTo(450);

        HeapLease alsoSmall = process.lease(100);
        assertThat(small.limitBytes()).isEqualTo(50);
        assertThat(alsoSmall.limitBytes()).isEqualTo(50);
        assertThat(large.limitBytes()).isEqualTo(450);

        process.setShare(0.5);
        assertThat(small.limitBytes()).isEqualTo(25);
        assertThat(large.limitBytes()).isEqualTo(225);
        process.setShare(1);

        large.close();
        alsoLarge.close();
        assertThat(process.totalBytes()).isEqualTo(100);
        assertThat(small.limitBytes() + alsoSmall.limitBytes()).isLessThanOrEqualTo(100);
    }

    @Test
    void missesMoveNothingBeyondWhatAJobAllows() {
        HeapBudget process = new HeapBudget();
        Owner small = new Owner(process.lease(1_600));
        Owner alsoSmall = new Owner(process.lease(1_600));
        Owner large = new Owner(process.lease(16_000));
        for (int i = 0; i < 50; i++) {
            alsoSmall.report(i, 0);
            large.report(i, 0);
            small.report(i, 1_000);
            assertThat(small.lease.limitBytes() + alsoSmall.lease.limitBytes())
                    .isLessThanOrEqualTo(1_600);
            assertWithin(process, small, alsoSmall, large);
        }
        assertThat(small.lease.limitBytes()).isEqualTo(1_400);
        assertThat(large.lease.limitBytes()).isEqualTo(14_400);
        for (int i = 50; i < 100; i++) {
            alsoSmall.report(i, 0);
            large.report(i, 10_000);
            small.report(i, 0);
            assertWithin(process, small, alsoSmall, large);
        }
        // each of the small ones keeps a quarter of its fair share
        assertThat(large.lease.limitBytes()).isEqualTo(15_600);
    }

    @Test
    void aLeaseIsGivenBackOnce() {
        HeapLease lease = budget.lease();
        lease.close();
        assertThatThrownBy(lease::close).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void bytesGoWhereTheyAreMissed() {
        HeapBudget shared = new HeapBudget(1_600);
        Owner busy = new Owner(shared.lease());
        Owner idle = new Owner(shared.lease());

        for (int i = 0; i < 50; i++) {
            idle.report(i, 0);
            busy.report(i, 1_000);
            assertWithin(shared, busy, idle);
        }

        // a quarter of an even share stays
        assertThat(idle.lease.limitBytes()).isEqualTo(200);
        assertThat(busy.lease.limitBytes()).isEqualTo(1_400);
    }

    @Test
    void whoMissesThoughThereIsRoomGetsNothing() {
        HeapBudget shared = new HeapBudget(1_600);
        HeapLease absentKeys = shared.lease();
        shared.lease();
        for (int i = 1; i < 50; i++) {
            absentKeys.report(100, i * 1_000L, i * INTERVAL_NANOS);
        }
        assertThat(absentKeys.limitBytes()).isEqualTo(800);
    }

    @Test
    void nothingIsGrantedBeforeItsOwnerHasMadeRoom() {
        HeapBudget shared = new HeapBudget(1_600);
        HeapLease holds = shared.lease();
        Owner busy = new Owner(shared.lease());
        holds.report(800, 0, 0);
        for (int i = 1; i < 20; i++) {
            busy.report(i, 1_000);
            assertThat(busy.lease.limitBytes()).isEqualTo(800);
        }
        assertThat(holds.limitBytes()).isEqualTo(700);

        holds.report(600, 0, 20 * INTERVAL_NANOS);
        busy.report(21, 1_000);
        assertThat(busy.lease.limitBytes()).isGreaterThan(800).isLessThanOrEqualTo(1_000);
    }

    @Test
    void sharesDriftBackWhenNobodyMisses() {
        HeapBudget shared = new HeapBudget(1_600);
        Owner first = new Owner(shared.lease());
        Owner second = new Owner(shared.lease());
        for (int i = 0; i < 50; i++) {
            first.report(i, 1_000);
            second.report(i, 0);
        }
        for (int i = 50; i < 150; i++) {
            first.report(i, 0);
            second.report(i, 0);
            assertWithin(shared, first, second);
        }
        assertThat(first.lease.limitBytes()).isBetween(780L, 820L);
        assertThat(second.lease.limitBytes()).isBetween(780L, 820L);
    }

    @Test
    void alternatingLoadMovesLittle() {
        HeapBudget shared = new HeapBudget(16_000);
        Owner first = new Owner(shared.lease());
        Owner second = new Owner(shared.lease());
        long movedBytes = 0;
        for (int i = 0; i < 400; i++) {
            long before = first.lease.limitBytes();
            first.report(i, i % 2 == 0 ? 1_000 : 0);
            second.report(i, i % 2 == 0 ? 0 : 1_000);
            movedBytes += Math.abs(first.lease.limitBytes() - before);
        }
        // one step; without hysteresis or fading there are more
        assertThat(movedBytes).isLessThanOrEqualTo(1_000);
    }

    @Test
    void aNewLeaseHasItsFloorEvenWhenNothingIsFree() {
        HeapBudget shared = new HeapBudget(1_600);
        HeapLease full = shared.lease();
        full.report(1_600, 0, 0);

        HeapLease opened = shared.lease();

        assertThat(opened.limitBytes()).isEqualTo(200);
        assertThat(full.limitBytes()).isEqualTo(800);
        full.report(800, 0, INTERVAL_NANOS);
        opened.report(200, 5, 2 * INTERVAL_NANOS);
        assertThat(opened.limitBytes()).isGreaterThan(200);
    }

    @Test
    void whoGainedFromALeaseThatClosesStillStaysWithinItsSize() {
        HeapBudget process = new HeapBudget();
        Owner least = new Owner(process.lease(16_000));
        Owner busy = new Owner(process.lease(32_000));
        Owner most = new Owner(process.lease(64_000));
        for (int i = 0; i < 50; i++) {
            least.report(i, 0);
            most.report(i, 0);
            busy.report(i, 1_000);
            assertWithin(process, least, busy, most);
        }
        assertThat(busy.lease.limitBytes()).isEqualTo(28_000);

        least.lease.close();

        assertThat(busy.lease.limitBytes()).isBetween(30_000L, 32_000L);
        assertWithin(process, busy, most);
    }

    /** Any sizes, any order: all constraints hold, and nothing is left that could be used. */
    @Test
    void fairSharesUseAllThatIsAllowed() {
        SplittableRandom random = new SplittableRandom(5);
        for (int round = 0; round < 200; round++) {
            HeapBudget process = new HeapBudget();
            List<HeapLease> leases = new ArrayList<>();
            for (int i = 1 + random.nextInt(8); i > 0; i--) {
                leases.add(process.lease(1_000L << random.nextInt(4)));
                if (random.nextInt(4) == 0) {
                    leases.remove(random.nextInt(leases.size())).close();
                }
                assertFair(leases, process.totalBytes());
            }
        }
    }

    private static void assertFair(List<HeapLease> leases, long total) {
        for (HeapLease bound : leases) {
            long limits =
                    leases.stream()
                            .filter(lease -> lease.allowedBytes() <= bound.allowedBytes())
                            .mapToLong(HeapLease::limitBytes)
                            .sum();
            assertThat(limits).isLessThanOrEqualTo(bound.allowedBytes());
        }
        long fair = leases.stream().mapToLong(HeapLease::fairBytes).sum();
        assertThat(fair).isBetween(total - leases.size(), total);
    }

    private static void assertWithin(HeapBudget budget, Owner... owners) {
        long limits = 0;
        for (Owner owner : owners) {
            limits += owner.lease.limitBytes();
        }
        assertThat(limits).isLessThanOrEqualTo(budget.totalBytes());
    }

    /** A backend that fills its lease, and makes room when that shrinks. */
    private static final class Owner {

        private final HeapLease lease;
        private long misses;

        Owner(HeapLease lease) {
            this.lease = lease;
        }

        void report(int interval, int newMisses) {
            misses += newMisses;
            lease.report(lease.limitBytes(), misses, interval * INTERVAL_NANOS);
        }
    }
}
