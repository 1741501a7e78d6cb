/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules.planted.hot;

/** Only one thread uses the hot tables, so they need no locks. */
class Locks {
    volatile int value;

    synchronized int increment() {
        return value += 1;
    }
}
