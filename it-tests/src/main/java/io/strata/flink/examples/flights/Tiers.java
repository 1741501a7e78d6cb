/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

/** What Strata holds in its two tiers, summed over all subtasks. */
record Tiers(long hotEntries, long hotBytes, long coldEntries, long coldBytes) {

    long bytes() {
        return hotBytes + coldBytes;
    }
}
