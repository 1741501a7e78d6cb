/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules.planted.engine;

/** Stands for the store that only the task thread may change. */
class TieredStore {
    static int constant() {
        return 1;
    }

    void change() {}
}
