/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.key;

import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;

/**
 * The order key: 64 bits, compared as unsigned, by which records lie inside a key group.
 *
 * <pre>
 *  bit  63                            32 31                             0
 *       +-------------------------------+-------------------------------+
 *  flat |             hash of (key, namespace), all 64 bits             |
 *       +-------------------------------+-------------------------------+
 *  map  | hash of (key, namespace) : 32 | user key or its hash : 32     |
 *       +-------------------------------+-------------------------------+
 * </pre>
 *
 * <p>A user key of up to four bytes stands for itself, its first byte uppermost: small integers
 * keep their order, as they do in Flink's own backends. Of a longer one the hash is taken.
 *
 * <p>Both 32-bit hashes are the high halves of the 64-bit ones. The key-group prefix is left out,
 * so that the order key is the same whatever the maximum parallelism. Hash function and seed are
 * part of the segment format: another one is another format version.
 *
 * <p>All methods may be called by any thread.
 */
public final class OrderKeys {

    /** "STRATA" in ASCII; fixed for ever by the format. */
    static final long SEED = 0x5354_5241_5441L;

    // The pure Java form: hashing a short key through JNI costs more than the hash itself.
    private static final XXHash64 HASH = XXHashFactory.fastestJavaInstance().hash64();

    private OrderKeys() {}

    /**
     * Returns the order key of a record of any state but map.
     *
     * @param bytes holds the key and namespace, without the key-group prefix, from {@code offset}
     *     on
     */
    public static long flat(byte[] bytes, int offset, int length) {
        return HASH.hash(bytes, offset, length, SEED);
    }

    /**
     * Returns the hash that all entries of one map share.
     *
     * @param bytes holds the key and namespace, without the key-group prefix, from {@code offset}
     *     on
     */
    public static int groupHash(byte[] bytes, int offset, int length) {
        return (int) (HASH.hash(bytes, offset, length, SEED) >>> 32);
    }

    /**
     * Returns the order key of an entry of a map.
     *
     * @param groupHash from {@link #groupHash}
     * @param bytes holds the user key from {@code offset} on
     */
    public static long grouped(int groupHash, byte[] bytes, int offset, int length) {
        if (length <= Integer.BYTES) {
            return groupStart(groupHash) | leftAligned(bytes, offset, length);
        }
        return groupStart(groupHash) | (HASH.hash(bytes, offset, length, SEED) >>> 32);
    }

    private static long leftAligned(byte[] bytes, int offset, int length) {
        long aligned = 0;
        for (int i = 0; i < length; i++) {
            aligned |= (bytes[offset + i] & 0xFFL) << (Integer.SIZE - Byte.SIZE * (i + 1));
        }
        return aligned;
    }

    /** Returns the smallest order key an entry of the map with that group hash can have. */
    public static long groupStart(int groupHash) {
        return (long) groupHash << 32;
    }

    /** Returns the group hash inside an order key made by {@link #grouped}. */
    public static int groupHashOf(long orderKey) {
        return (int) (orderKey >>> 32);
    }
}
