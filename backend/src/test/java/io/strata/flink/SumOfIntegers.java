/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import org.apache.flink.api.common.functions.AggregateFunction;

/** Adds integers up; the accumulator is the sum. */
final class SumOfIntegers implements AggregateFunction<Integer, Integer, Integer> {

    private static final long serialVersionUID = 1L;

    @Override
    public Integer createAccumulator() {
        return 0;
    }

    @Override
    public Integer add(Integer value, Integer accumulator) {
        return accumulator + value;
    }

    @Override
    public Integer getResult(Integer accumulator) {
        return accumulator;
    }

    @Override
    public Integer merge(Integer one, Integer other) {
        return one + other;
    }
}
