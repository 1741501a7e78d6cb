/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

/** Sizes as people read them. */
final class Bytes {

    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final int STEP = 1024;

    private Bytes() {}

    static String format(long bytes) {
        double amount = bytes;
        int unit = 0;
        while (amount >= STEP && unit < UNITS.length - 1) {
            amount /= STEP;
            unit++;
        }
        return String.format(unit == 0 ? "%.0f %s" : "%.1f %s", amount, UNITS[unit]);
    }
}
