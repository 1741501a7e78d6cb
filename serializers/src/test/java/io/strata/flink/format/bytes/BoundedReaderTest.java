/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class BoundedReaderTest {

    @Test
    void readsLittleEndianValuesOneAfterAnother() throws CorruptFormatException {
        ByteBuffer bytes = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put((byte) 0xFE).putShort((short) 0xFEDC).putInt(-2).putLong(-3);
        bytes.put((byte) 5).put("grün".getBytes(UTF_8)).put(new byte[3]).flip();
        BoundedReader in = new BoundedReader("f", bytes);
        assertThat(in.readUnsignedByte("byte")).isEqualTo(0xFE);
        assertThat(in.readUnsignedShort("short")).isEqualTo(0xFEDC);
        assertThat(in.readInt("int")).isEqualTo(-2);
        assertThat(in.readLong("long")).isEqualTo(-3);
        assertThat(in.readUtf8("text", in.readVarInt("length", 10))).isEqualTo("grün");
        assertThat(in.position()).isEqualTo(21);
        in.readZeros("padding", 3);
        in.requireEnd("all");
        assertThat(bytes.position()).isZero();
    }

    @Test
    void namesFileValueExpectedAndFound() {
        assertThatThrownBy(() -> reader(1, 2).readInt("the count"))
                .isInstanceOfSatisfying(
                        CorruptFormatException.class,
                        e -> {
                            assertThat(e.file()).isEqualTo("some-file");
                            assertThat(e.what()).isEqualTo("the count");
                            assertThat(e.expected()).isEqualTo("4 bytes");
                            assertThat(e.found()).isEqualTo("2 bytes");
                        })
                .hasMessage("some-file: corrupt: the count: expected 4 bytes, found 2 bytes");
    }

    @Test
    void refusesWhatIsOutOfBounds() {
        assertCorrupt(() -> reader(7, 0, 0, 0).readInt("int", 8, 9));
        assertCorrupt(() -> reader(7, 0, 0, 0, 0, 0, 0, 0).readLong("long", 0, 6));
        assertCorrupt(() -> reader(7).readVarInt("var-int", 6));
        assertCorrupt(() -> reader(0xFF, 0xFF, 0xFF, 0xFF, 0x0F).readVarInt("v", 6));
        assertCorrupt(() -> reader(0, 1).readZeros("zeros", 2));
        assertCorrupt(() -> reader(0).requireEnd("all"));
        assertCorrupt(() -> reader(0).requireEqual("value", 1, 2));
        assertCorrupt(() -> BoundedReader.requireChecksum("f", "sum", 1, 2));
        assertCorrupt(() -> reader(0xC3, 0x28).readUtf8("text", 2));
    }

    @Test
    void refusesVarIntsThatAreNotTheShortest() {
        assertCorrupt(() -> reader(0x80, 0).readVarInt("v"));
        assertCorrupt(() -> reader(0x80, 0x80, 0x80).readVarInt("v"));
        assertCorrupt(
                () -> reader(128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 1).readVarInt("v"));
    }

    /** A length from a broken file must not allocate before it is known to be there. */
    @Test
    void allocatesNothingThatTheInputDoesNotHold() {
        assertCorrupt(() -> reader(1, 2, 3).readBytes("bytes", Integer.MAX_VALUE));
        assertCorrupt(() -> reader(1, 2, 3).readBytes("bytes", -1));
        assertCorrupt(() -> reader(1, 2, 3).readUtf8("text", Integer.MAX_VALUE));
    }

    private static void assertCorrupt(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(CorruptFormatException.class);
    }

    private static BoundedReader reader(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return new BoundedReader("some-file", ByteBuffer.wrap(bytes));
    }
}
