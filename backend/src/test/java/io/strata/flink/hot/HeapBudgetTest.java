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
}
