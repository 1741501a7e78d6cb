/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.compaction.ValueConverter;
import io.strata.flink.compaction.ValueRules;
import java.io.IOException;

/** What the values of a table mean, as its codec knows. Any thread may ask. */
final class CodecRules implements ValueRules {

    /** Only ever duplicated, by one thread at a time (I9). */
    private final ValueCodec<?> prototype;

    private final ValueRules schemas;

    /** Takes a codec that nobody else uses. */
    CodecRules(ValueCodec<?> prototype) {
        this.prototype = prototype;
        this.schemas = prototype.rules();
    }

    @Override
    public long schemaId() {
        return schemas.schemaId();
    }

    @Override
    public ValueConverter converter(long writtenId) throws IOException {
        return schemas.converter(writtenId);
    }

    @Override
    public boolean keepsTimestamps(long writtenId) {
        return schemas.keepsTimestamps(writtenId);
    }

    @Override
    public Expiry expiry() {
        synchronized (prototype) {
            return prototype.duplicate().expiry();
        }
    }
}
