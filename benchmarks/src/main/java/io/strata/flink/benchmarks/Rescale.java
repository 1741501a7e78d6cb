/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.util.List;

/** From which checkpoints a task is restored. */
enum Rescale {
    SAME("1 to 1", List.of(StatePart.WHOLE), StatePart.WHOLE),
    OUT("1 to 2", List.of(StatePart.WHOLE), StatePart.FIRST_HALF),
    IN("2 to 1", List.of(StatePart.FIRST_HALF, StatePart.SECOND_HALF), StatePart.WHOLE);

    private final String label;
    private final List<StatePart> from;
    private final StatePart to;

    Rescale(String label, List<StatePart> from, StatePart to) {
        this.label = label;
        this.from = from;
        this.to = to;
    }

    /** The tasks before, whose checkpoints are read. */
    List<StatePart> from() {
        return from;
    }

    /** The task that is measured. */
    StatePart to() {
        return to;
    }

    /** The change of parallelism, as tables show it. */
    String label() {
        return label;
    }
}
