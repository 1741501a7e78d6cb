/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import java.io.IOException;

/**
 * What the bytes of one state's values mean to those who see only bytes: merges and savepoints.
 *
 * <p>Immutable; any thread may ask, and what it is given belongs to it alone (I9).
 */
public interface ValueRules {

    /** The rules of values that nobody needs to understand. */
    ValueRules NONE = sameSchema(0);

    /** Returns the rules of values that all have one schema, which nobody needs to understand. */
    static ValueRules sameSchema(long schemaId) {
        return () -> schemaId;
    }

    /** Returns the schema in which values are written now. */
    long schemaId();

    /**
     * Returns a converter from another schema to the present one, or null when the bytes are the
     * same in both.
     *
     * @throws IOException if the schema is not known, or cannot be read any more
     */
    default ValueConverter converter(long writtenId) throws IOException {
        if (writtenId == schemaId()) {
            return null;
        }
        throw new IOException(
                "values of schema %016x cannot be read as ones of schema %016x"
                        .formatted(writtenId, schemaId()));
    }

    /**
     * Tells whether what runs of a schema say about their timestamps holds for their values as they
     * are read now.
     */
    default boolean keepsTimestamps(long writtenId) {
        return true;
    }

    /** Returns a new judge of what has expired, {@link Expiry#NEVER} for a state without TTL. */
    default Expiry expiry() {
        return Expiry.NEVER;
    }
}
