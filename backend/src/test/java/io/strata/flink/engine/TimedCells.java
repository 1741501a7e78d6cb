/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.compaction.TimestampedValues;
import io.strata.flink.format.bytes.ByteSlice;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** Values of a timestamp and a filling, which expire by a simulated clock. */
final class TimedCells extends FilledNumbers {

    /** What all codecs of a test share. */
    record Lifetime(long millis, AtomicLong clock, AtomicLong expiredBytesRead) {

        Lifetime(long millis) {
            this(millis, new AtomicLong(), new AtomicLong());
        }

        Lifetime withMillis(long other) {
            return new Lifetime(other, clock, expiredBytesRead);
        }
    }

    private final Lifetime lifetime;

    TimedCells(Lifetime lifetime, int fillingBytes) {
        super(Long.BYTES + fillingBytes);
        this.lifetime = lifetime;
    }

    @Override
    public Expiry expiry() {
        return new TimestampedValues(false) {
            @Override
            public boolean isExpired(long timestamp) {
                return timestamp != NO_TTL && timestamp + lifetime.millis() <= now();
            }

            @Override
            public boolean judge(ByteSlice value) throws IOException {
                boolean lives = super.judge(value);
                if (!lives) {
                    lifetime.expiredBytesRead().addAndGet(value.length);
                }
                return lives;
            }

            @Override
            public long timeToLiveMillis() {
                return lifetime.millis();
            }

            @Override
            public long now() {
                return lifetime.clock().get();
            }
        };
    }

    @Override
    public TimedCells duplicate() {
        return new TimedCells(lifetime, fixedBytes() - Long.BYTES);
    }
}
