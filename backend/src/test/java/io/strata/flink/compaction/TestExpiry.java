/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.format.bytes.ByteSlice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Judges texts: each element is a timestamp of eight digits, then anything; commas between. */
final class TestExpiry implements Expiry {

    private final boolean lists;
    private final long timeToLive;
    private ByteSlice live;
    private long newest;

    /** The clock of this test. */
    long time;

    TestExpiry(boolean lists, long timeToLive) {
        this.lists = lists;
        this.timeToLive = timeToLive;
    }

    static String element(long timestamp, int fillerBytes) {
        return "%08d".formatted(timestamp) + "x".repeat(fillerBytes);
    }

    static long timestampOf(String element) {
        return Long.parseLong(element.substring(0, 8));
    }

    ValueRules rules() {
        return new ValueRules() {
            @Override
            public long schemaId() {
                return 0;
            }

            @Override
            public Expiry expiry() {
                return TestExpiry.this;
            }
        };
    }

    @Override
    public boolean hasTimestamps() {
        return true;
    }

    @Override
    public boolean isElementwise() {
        return lists;
    }

    @Override
    public long timestamp(ByteSlice bytes) {
        return timestampOf(text(bytes));
    }

    private static String text(ByteSlice bytes) {
        return new String(bytes.bytes, bytes.offset, bytes.length, StandardCharsets.UTF_8);
    }

    @Override
    public void refresh() {}

    @Override
    public boolean isExpired(long timestamp) {
        return timestamp != NO_TTL && timestamp + timeToLive <= time;
    }

    @Override
    public boolean judge(ByteSlice value) {
        if (!lists) {
            newest = timestamp(new ByteSlice(value.bytes, value.offset, Long.BYTES));
            live = value;
            return !isExpired(newest);
        }
        List<String> left = new ArrayList<>();
        newest = Long.MIN_VALUE;
        for (String element : text(value).split(",")) {
            if (!isExpired(timestampOf(element))) {
                newest = Math.max(newest, timestampOf(element));
                left.add(element);
            }
        }
        live = ByteSlice.utf8(String.join(",", left));
        return !left.isEmpty();
    }

    @Override
    public ByteSlice live() {
        return live;
    }

    @Override
    public long newest() {
        return newest;
    }

    @Override
    public long timeToLiveMillis() {
        return timeToLive;
    }

    @Override
    public long now() {
        return time;
    }

    @Override
    public Expiry always() {
        return this;
    }
}
