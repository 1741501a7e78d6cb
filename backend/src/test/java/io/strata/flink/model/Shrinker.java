/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Looks for a shorter list of operations that still fails, by leaving out ever smaller parts (delta
 * debugging), until none can be left out or the time is up.
 */
final class Shrinker {

    /** Says whether a list of operations fails. */
    interface Failing {
        boolean fails(List<Operation> operations) throws Exception;
    }

    private final Failing failing;
    private final long deadlineNanos;

    Shrinker(Failing failing, long mostMillis) {
        this.failing = failing;
        this.deadlineNanos = System.nanoTime() + mostMillis * 1_000_000;
    }

    List<Operation> shrink(List<Operation> operations) throws Exception {
        List<Operation> shortest = operations;
        int part = Math.max(1, shortest.size() / 2);
        while (inTime()) {
            List<Operation> shorter = withoutParts(shortest, part);
            if (part == 1 && shorter.size() == shortest.size()) {
                break;
            }
            shortest = shorter;
            part = Math.max(1, Math.min(part / 2, shortest.size() / 2));
        }
        return shortest;
    }

    private List<Operation> withoutParts(List<Operation> operations, int part) throws Exception {
        List<Operation> shortest = operations;
        int from = 0;
        while (from < shortest.size() && inTime()) {
            List<Operation> candidate = new ArrayList<>(shortest.subList(0, from));
            candidate.addAll(
                    shortest.subList(Math.min(from + part, shortest.size()), shortest.size()));
            if (failing.fails(candidate)) {
                shortest = candidate;
            } else {
                from += part;
            }
        }
        return shortest;
    }

    private boolean inTime() {
        return System.nanoTime() < deadlineNanos;
    }
}
