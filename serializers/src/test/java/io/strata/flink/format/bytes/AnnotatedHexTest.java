/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class AnnotatedHexTest {

    @Test
    void showsOffsetsBytesAndWhatTheyAre() {
        byte[] bytes = new byte[20];
        bytes[19] = (byte) 0xFF;
        AnnotatedHex hex =
                new AnnotatedHex().comment("note").add("head", bytes, 0, 2).add("", bytes, 2, 18);
        assertThat(hex.toString())
                .isEqualTo(
                        "# note\n"
                                + "00000000  00 00"
                                + " ".repeat(43)
                                + "head\n"
                                + "00000002  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n"
                                + "00000012  00 ff\n");
        assertThat(hex.offset()).isEqualTo(20);
        assertThat(AnnotatedHex.parse(hex.toString())).isEqualTo(bytes);
    }

    @Test
    void refusesTextThatIsNotOfThisForm() {
        assertThatThrownBy(() -> AnnotatedHex.parse("00000001  00"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AnnotatedHex.parse("00000000  0"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AnnotatedHex.parse("x"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> AnnotatedHex.parse("00000000  00\n00000002  00"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("offset 1");
    }
}
