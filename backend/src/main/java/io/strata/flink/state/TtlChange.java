/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.schema.Schema;
import org.apache.flink.runtime.state.ttl.TtlValue;

/**
 * What happens to the time of a value when its state gets a time to live, or loses it.
 *
 * @param kind what happens
 * @param since the time, in milliseconds, that values get which had none, or one that no longer
 *     counts
 */
record TtlChange(Kind kind, long since) {

    enum Kind {
        NONE,
        ADDED,
        REPLACED,
        REMOVED
    }

    static TtlChange of(boolean before, boolean now, long since) {
        if (!now) {
            return new TtlChange(before ? Kind.REMOVED : Kind.NONE, since);
        }
        if (!before) {
            return new TtlChange(Kind.ADDED, since);
        }
        return new TtlChange(since > Schema.VOID_TIME ? Kind.REPLACED : Kind.NONE, since);
    }

    /** Returns the value as the present serializer takes it; null, which maps may hold, stays. */
    Object apply(Object value) {
        if (value == null) {
            return null;
        }
        return switch (kind) {
            case NONE -> value;
            case ADDED -> new TtlValue<>(value, since);
            case REPLACED -> new TtlValue<>(((TtlValue<?>) value).getUserValue(), since);
            case REMOVED -> ((TtlValue<?>) value).getUserValue();
        };
    }
}
