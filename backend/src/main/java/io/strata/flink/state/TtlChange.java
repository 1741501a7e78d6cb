/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import org.apache.flink.runtime.state.ttl.TtlValue;

/**
 * What happens to the time of a value when its state gets a time to live, or loses it.
 *
 * @param kind what happens
 * @param since the time, in milliseconds, that values get which had none
 */
record TtlChange(Kind kind, long since) {

    enum Kind {
        NONE,
        ADDED,
        REMOVED
    }

    static TtlChange of(boolean before, boolean now, long since) {
        return new TtlChange(before == now ? Kind.NONE : now ? Kind.ADDED : Kind.REMOVED, since);
    }

    /** Returns the value as the present serializer takes it; null, which maps may hold, stays. */
    Object apply(Object value) {
        if (value == null) {
            return null;
        }
        return switch (kind) {
            case NONE -> value;
            case ADDED -> new TtlValue<>(value, since);
            case REMOVED -> ((TtlValue<?>) value).getUserValue();
        };
    }
}
