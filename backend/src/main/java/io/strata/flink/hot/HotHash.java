/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * The hash of the hot tier. Tables take their index from its TOP bits, so a bucket of any table
 * size is an interval of hashes, and sizes nest: the two halves of a bucket are the buckets of the
 * doubled table. Cursors and the CLOCK hand are therefore just a position in hash order, which
 * stays meaningful through every rehash.
 */
final class HotHash {

    /** One past the last position in hash order (hashes are taken as unsigned). */
    static final long END = 1L << 32;

    /** 2^32 divided by the golden ratio: spreads into the top bits. */
    private static final int GOLDEN = 0x9E3779B9;

    private static final int NAMESPACE_FACTOR = 0x85EBCA6B;

    private HotHash() {}

    static int of(Object key, Object namespace) {
        return mix(key.hashCode() ^ (namespace.hashCode() * NAMESPACE_FACTOR));
    }

    static int of(Object userKey) {
        return userKey == null ? 0 : mix(userKey.hashCode());
    }

    static long position(int hash) {
        return hash & 0xFFFFFFFFL;
    }

    private static int mix(int h) {
        return (h ^ (h >>> 16)) * GOLDEN;
    }
}
