/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/** A key of which three at a time have the same hash. */
record TestKey(int id) {

    String namespace() {
        return id % 2 == 0 ? "even" : "odd";
    }

    @Override
    public int hashCode() {
        return id / 3;
    }
}
