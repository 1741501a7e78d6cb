/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VarIntsTest {

    @Test
    void isLittleEndianBase128() {
        assertThat(encode(0)).containsExactly(0);
        assertThat(encode(127)).containsExactly(127);
        assertThat(encode(128)).containsExactly(0x80, 1);
        assertThat(encode(300)).containsExactly(0xAC, 2);
        assertThat(encode(-1)).hasSize(VarInts.MAX_BYTES).endsWith(1);
    }

    @Test
    void readsBackEveryLength() throws CorruptFormatException {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            long value = random.nextLong() >>> random.nextInt(64);
            byte[] bytes = encode(value);
            assertThat(VarInts.sizeOf(value)).isEqualTo(bytes.length);
            assertThat(VarInts.read(ByteBuffer.wrap(bytes), 0)).isEqualTo(value);
            assertThat(new BoundedReader("f", ByteBuffer.wrap(bytes)).readVarInt("v"))
                    .isEqualTo(value);
        }
    }

    @Test
    void refusesToReadPastTheEnd() {
        ByteBuffer cut = ByteBuffer.wrap(new byte[] {(byte) 0x80, (byte) 0x80});
        assertThatThrownBy(() -> VarInts.read(cut, 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
        byte[] endless = new byte[11];
        Arrays.fill(endless, (byte) 0x80);
        assertThatThrownBy(() -> VarInts.read(ByteBuffer.wrap(endless), 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static byte[] encode(long value) {
        byte[] bytes = new byte[VarInts.MAX_BYTES + 1];
        int length = VarInts.write(bytes, 0, value);
        return Arrays.copyOf(bytes, length);
    }
}
