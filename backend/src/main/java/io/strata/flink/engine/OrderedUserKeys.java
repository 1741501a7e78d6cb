/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.hot.HotSlot;
import java.util.Arrays;
import java.util.List;

/**
 * The order of Integer user keys in iterations, which Flink's own backends give away without
 * promising it: ascending, as long as it costs no sorting.
 */
final class OrderedUserKeys {

    /** Keys are dense when their range is at most so many times their number. */
    private static final int MAX_RANGE_PER_KEY = 4;

    private OrderedUserKeys() {}

    /** Tells from the first slot of a map whether its user keys may have an order. */
    static boolean concerns(HotSlot<?, ?, ?> first) {
        return first != null && first.userKey() instanceof Integer;
    }

    /** Returns the keys in ascending order if they are dense Integers, else as they are. */
    static <UK> List<UK> order(List<UK> userKeys) {
        int min = Integer.MAX_VALUE;
        int max = Integer.MIN_VALUE;
        for (UK userKey : userKeys) {
            if (!(userKey instanceof Integer key)) {
                return userKeys;
            }
            min = Math.min(min, key);
            max = Math.max(max, key);
        }
        long range = (long) max - min + 1;
        if (userKeys.isEmpty() || range > (long) MAX_RANGE_PER_KEY * userKeys.size()) {
            return userKeys;
        }
        return placed(userKeys, min, (int) range);
    }

    @SuppressWarnings("unchecked")
    private static <UK> List<UK> placed(List<UK> userKeys, int min, int range) {
        Object[] places = new Object[range];
        for (UK userKey : userKeys) {
            places[(Integer) userKey - min] = userKey;
        }
        return (List<UK>) Arrays.stream(places).filter(place -> place != null).toList();
    }
}
