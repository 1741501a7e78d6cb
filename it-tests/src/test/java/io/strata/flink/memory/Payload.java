/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.nio.charset.StandardCharsets;

/** Content that follows from a key and a count alone, so that it can be checked without a copy. */
final class Payload {

    private static final int MIX_SHIFT = 29;

    private Payload() {}

    /** Returns between half and one and a half times {@code meanBytes} bytes. */
    static byte[] bytes(long key, long count, int meanBytes) {
        long seed = mix(key * 0x9E37_79B9_7F4A_7C15L + count);
        byte[] bytes = new byte[meanBytes / 2 + (int) Math.floorMod(seed, meanBytes + 1L)];
        for (int i = 0; i < bytes.length; i++) {
            if ((i & 7) == 0) {
                seed = mix(seed + i);
            }
            bytes[i] = (byte) ('0' + (seed >>> ((i & 7) * 8) & 63));
        }
        return bytes;
    }

    static String text(long key, long count, int meanBytes) {
        return new String(bytes(key, count, meanBytes), StandardCharsets.ISO_8859_1);
    }

    private static long mix(long value) {
        long z = (value ^ (value >>> MIX_SHIFT)) * 0xBF58_476D_1CE4_E5B9L;
        return z ^ (z >>> 32);
    }
}
