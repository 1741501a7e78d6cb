/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.format.bytes.ByteSlice;

/** The {@link Expiry} of values without timestamps; keeps nothing, so any thread may use it. */
final class NeverExpiry implements Expiry {

    @Override
    public boolean hasTimestamps() {
        return false;
    }

    @Override
    public boolean isElementwise() {
        return false;
    }

    @Override
    public long timestamp(ByteSlice bytes) {
        return NO_TTL;
    }

    @Override
    public void refresh() {}

    @Override
    public boolean isExpired(long timestamp) {
        return false;
    }

    @Override
    public boolean judge(ByteSlice value) {
        return true;
    }

    @Override
    public ByteSlice live() {
        throw new IllegalStateException("values without timestamps are not to be judged");
    }

    @Override
    public long newest() {
        return NO_TTL;
    }
}
