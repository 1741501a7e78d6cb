/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.segment.RecordKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** Makes records of every awkward kind from a seed. */
final class RandomRecords {

    private final Random random;
    private final boolean grouped;
    private final int prefixBytes;
    private final int keyGroups;
    private final int hugeBytes;
    private final int collisions;

    /** Draws the character of one run. */
    RandomRecords(Random random, boolean grouped, int pageBytes) {
        this.random = random;
        this.grouped = grouped;
        this.prefixBytes = 1 + random.nextInt(2);
        this.keyGroups = prefixBytes == 1 ? 1 + random.nextInt(128) : 32768;
        this.hugeBytes = pageBytes * (1 + random.nextInt(5));
        this.collisions = random.nextInt(4) == 0 ? 1 + random.nextInt(8) : 0;
    }

    List<TestRecord> records(int count) {
        int[] usedKeyGroups =
                random.ints(1 + random.nextInt(12), 0, keyGroups).distinct().toArray();
        Collection<TestRecord> records = new TreeSet<>(TestRecord.ORDER);
        for (int i = 0; i < count; i++) {
            records.add(record(usedKeyGroups[random.nextInt(usedKeyGroups.length)]));
        }
        return new ArrayList<>(records);
    }

    private TestRecord record(int keyGroup) {
        RecordKind kind = RecordKind.ofCode(random.nextInt(3));
        byte[] key = new byte[prefixBytes + length(24)];
        random.nextBytes(key);
        key[prefixBytes - 1] = (byte) keyGroup;
        key[0] = prefixBytes == 2 ? (byte) (keyGroup >>> 8) : (byte) keyGroup;
        byte[] value = new byte[kind == RecordKind.DELETE ? 0 : length(60)];
        if (random.nextBoolean()) {
            random.nextBytes(value); // the others can be compressed
        }
        long ttl = random.nextInt(4) == 0 ? SegmentWriter.NO_TTL : random.nextInt(1000);
        return new TestRecord(keyGroup, orderKey(), kind, key, value, ttl);
    }

    private int length(int usual) {
        return switch (random.nextInt(40)) {
            case 0 -> 0;
            case 1 -> random.nextInt(hugeBytes);
            default -> random.nextInt(usual);
        };
    }

    long orderKey() {
        if (collisions > 0) {
            return Long.MIN_VALUE + random.nextInt(collisions);
        }
        if (random.nextInt(50) == 0) {
            return random.nextBoolean() ? 0 : -1;
        }
        long high = grouped ? random.nextInt(5) * 0x3333_3333L : random.nextInt();
        return (high << 32) | (random.nextInt() & 0xFFFF_FFFFL);
    }
}
