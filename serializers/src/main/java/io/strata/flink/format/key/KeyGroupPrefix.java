/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.key;

/** The big-endian key-group number with which every composite key begins. */
public final class KeyGroupPrefix {

    /** The most key groups that still fit one byte; Flink counts as if the byte were signed. */
    private static final int ONE_BYTE_KEY_GROUPS = Byte.MAX_VALUE + 1;

    private KeyGroupPrefix() {}

    /** Returns how many bytes the prefix takes in a job with that many key groups: 1 or 2. */
    public static int lengthBytes(int keyGroupsInJob) {
        return keyGroupsInJob > ONE_BYTE_KEY_GROUPS ? 2 : 1;
    }

    /** Writes the prefix at {@code offset}. */
    public static void write(int keyGroup, int prefixBytes, byte[] target, int offset) {
        for (int i = 0; i < prefixBytes; i++) {
            target[offset + i] = (byte) (keyGroup >>> (8 * (prefixBytes - 1 - i)));
        }
    }

    /** Reads the prefix at {@code offset}. */
    public static int read(int prefixBytes, byte[] source, int offset) {
        int keyGroup = 0;
        for (int i = 0; i < prefixBytes; i++) {
            keyGroup = (keyGroup << 8) | (source[offset + i] & 0xff);
        }
        return keyGroup;
    }
}
