/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * The converters of one thread for the values of one state, each made when its schema is met first.
 */
public final class ValueConverters {

    private final ValueRules rules;
    private final long schemaId;

    /** Null values stand for schemas whose bytes need no conversion. */
    private final Map<Long, ValueConverter> bySchema = new HashMap<>();

    public ValueConverters(ValueRules rules) {
        this.rules = rules;
        this.schemaId = rules.schemaId();
    }

    /** Returns what a new owner of converters for the same values starts from. */
    public ValueRules rules() {
        return rules;
    }

    /**
     * Returns the converter from a schema to the present one, or null when the bytes are the same
     * in both.
     *
     * @throws IOException if the schema is not known, or cannot be read any more
     */
    public ValueConverter from(long writtenId) throws IOException {
        if (writtenId == schemaId) {
            return null;
        }
        Long key = writtenId;
        ValueConverter converter = bySchema.get(key);
        if (converter == null && !bySchema.containsKey(key)) {
            converter = rules.converter(writtenId);
            bySchema.put(key, converter);
        }
        return converter;
    }
}
