/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import java.util.Comparator;
import java.util.List;

/** Finds the name that somebody who mistyped one most likely meant. */
final class NearestName {

    private NearestName() {}

    /**
     * Returns the known name with the smallest edit distance, the earlier one of equals. A name
     * that was cut short, or that goes on too long, is nearer than any that differs within.
     */
    static String of(String name, List<String> known) {
        Comparator<String> byPrefix =
                Comparator.comparing(
                        candidate -> !candidate.startsWith(name) && !name.startsWith(candidate));
        return known.stream()
                .min(byPrefix.thenComparingInt(candidate -> distance(name, candidate)))
                .orElseThrow();
    }

    /** Levenshtein's distance, with one row of its table in memory. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int substituted = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
