/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ByteSliceTest {

    @Test
    void comparesUnsignedAndPrefixesFirst() {
        assertThat(compare(new byte[] {(byte) 0x80}, new byte[] {0x7F})).isPositive();
        assertThat(compare(new byte[] {1}, new byte[] {1, 0})).isNegative();
        assertThat(compare(new byte[] {1, 2}, new byte[] {1, 2})).isZero();
        assertThat(compare(new byte[0], new byte[] {0})).isNegative();
    }

    private static int compare(byte[] a, byte[] b) {
        byte[] moved = new byte[a.length + 3];
        System.arraycopy(a, 0, moved, 2, a.length);
        return ByteSlice.compareUnsigned(
                new ByteSlice(moved, 2, a.length), new ByteSlice(b, 0, b.length));
    }

    @Test
    void copiesAndComparesContents() {
        byte[] bytes = {9, 1, 2, 9};
        ByteSlice slice = new ByteSlice(bytes, 1, 2);
        byte[] copy = slice.toArray();
        assertThat(copy).containsExactly(1, 2);
        assertThat(slice.contentEquals(new ByteSlice(copy))).isTrue();
        assertThat(slice.contentEquals(new ByteSlice(bytes))).isFalse();
        assertThat(new ByteSlice().set(slice).bytes).isSameAs(bytes);
        assertThat(new ByteSlice().toArray()).isEmpty();
    }

    @Test
    void showsHexadecimalDigitsInMessages() {
        assertThat(new ByteSlice(new byte[] {0, (byte) 0xAB})).hasToString("0x00ab");
        assertThat(new ByteSlice(new byte[40]).toString()).endsWith("(40 bytes)").hasSize(78);
    }
}
