/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.strata.flink.hot.CollectionReport.Scope;
import org.junit.jupiter.api.Test;

/** What reports of the garbage collector do to the budget, in simulated time. */
class BudgetFeedbackTest {

    private static final long MILLIS = 1_000_000;

    private final BudgetFeedback feedback = new BudgetFeedback();
    private long nowMillis;

    @Test
    void aFullCollectionThatLeavesMuchShrinksAtOnce() {
        report(Scope.FULL, 0.79, 1);
        assertThat(feedback.share()).isEqualTo(1);
        report(Scope.FULL, 0.81, 0.8);
        assertThat(feedback.share()).isCloseTo(0.6, within(1e-9));
        report(Scope.FULL, 0.96, 0.6);
        assertThat(feedback.share()).isCloseTo(0.3, within(1e-9));
        assertThat(feedback.shrinks()).isEqualTo(2);
    }

    @Test
    void aMixedCollectionShrinksOnceInHalfASecond() {
        for (int i = 0; i < 50; i++) {
            nowMillis += 10;
            report(Scope.MIXED, 0.86, 1);
        }
        assertThat(feedback.share()).isEqualTo(0.75);
        nowMillis += 10;
        report(Scope.MIXED, 0.86, 0.75);
        assertThat(feedback.share()).isEqualTo(0.5625);
    }

    /** Old garbage fills the heap between full collections: that says nothing. */
    @Test
    void aYoungCollectionFreezesUntilThereIsRoom() {
        report(Scope.YOUNG, 0.99, 0.5);
        assertThat(feedback.share()).isEqualTo(0.5);
        report(Scope.YOUNG, 0.99, 0.5);
        assertThat(feedback.share()).isEqualTo(0.5);
        report(Scope.FULL, 0.75, 0.5);
        assertThat(feedback.share()).isEqualTo(0.5);
        report(Scope.FULL, 0.4, 0.5);
        assertThat(feedback.share()).isEqualTo(1);
        assertThat(feedback.shrinks()).isZero();
    }

    @Test
    void growsBackInStepsAfterAWhile() {
        report(Scope.FULL, 0.9, 0.5);
        assertThat(feedback.share()).isEqualTo(0.375);
        int seconds = 0;
        while (feedback.share() < 1) {
            nowMillis += 1000;
            seconds++;
            double before = feedback.share();
            report(Scope.MIXED, 0.5, before);
            assertThat(feedback.share()).isBetween(before, before + 1.0 / 16);
        }
        assertThat(seconds).isEqualTo(BudgetFeedback.MIN_HOLD_SECONDS + 9);
    }

    @Test
    void neverFallsBelowTheFloorEvenIfTheHotTierIsNotToBlame() {
        for (int i = 0; i < 100; i++) {
            report(Scope.FULL, 1, 0);
        }
        assertThat(feedback.share()).isEqualTo(BudgetFeedback.FLOOR);
        assertThat(feedback.shrinks()).isLessThan(10);
    }

    /**
     * A heap on which other things come and go: without a hold that gets longer, the budget would
     * be lowered with each of its 360 waves.
     */
    @Test
    void alternatingLoadDoesNotMakeItSwing() {
        int changes = 0;
        for (int second = 0; second < 3600; second++) {
            nowMillis += 1000;
            double other = second % 10 < 5 ? 0.2 : 0.5;
            double hot = 0.5 * feedback.share();
            double before = feedback.share();
            report(Scope.MIXED, other + hot, feedback.share());
            changes += feedback.share() < before ? 1 : 0;
        }
        assertThat(changes).isLessThan(20);
    }

    /**
     * A hot tier four times as large as estimated settles where it fits, within few collections.
     */
    @Test
    void aWrongEstimateSettles() {
        int shrinksBefore = 0;
        for (int second = 0; second < 1200; second++) {
            nowMillis += 1000;
            // the tier fills its share; true occupancy is four times what it should be
            report(Scope.MIXED, Math.min(1, 0.1 + 4 * 0.4 * feedback.share()), feedback.share());
            if (second == 10) {
                assertThat(feedback.share()).isLessThan(0.5);
                shrinksBefore = (int) feedback.shrinks();
            }
        }
        assertThat(feedback.share()).isBetween(0.25, 0.5);
        assertThat(feedback.shrinks() - shrinksBefore).isLessThan(8);
    }

    private void report(Scope scope, double occupancy, double held) {
        feedback.collected(new CollectionReport(occupancy, scope, nowMillis * MILLIS), held);
    }
}
