/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        budget.setTotalBytes(100);
        assertThat(budget.totalBytes()).isEqualTo(100);
        assertThat(lease.limitBytes()).isEqualTo(100);
        assertThatThrownBy(() -> budget.setTotalBytes(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
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
