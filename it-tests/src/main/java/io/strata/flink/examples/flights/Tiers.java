/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

/**
 * What Strata holds in its two tiers, summed over all subtasks. An entry may be in both, and in the
 * cold tier more than one record may answer for it until they are compacted.
 */
record Tiers(long hotEntries, long hotBytes, long coldRecords, long coldBytes) {

    long bytes() {
        return hotBytes + coldBytes;
    }
}
