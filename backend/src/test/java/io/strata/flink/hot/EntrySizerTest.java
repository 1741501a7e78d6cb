/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The sizer against what objects really take. */
class EntrySizerTest {

    @Test
    void knowsWhatCommonValuesTake() {
        EntrySizer sizer = new EntrySizer(1);
        List<Object> values =
                List.of(
                        new byte[0],
                        new byte[100],
                        "",
                        "latin",
                        "\u4e16\u754c".repeat(9),
                        1L << 40,
                        1 << 20,
                        2.5,
                        2.5f,
                        (short) 999,
                        'x');
        for (Object value : values) {
            assertThat(sizer.sizeBytes(value))
                    .as(value.getClass().getSimpleName())
                    .isEqualTo(ObjectGraphs.bytes(value));
        }
        assertThat(sizer.sizeBytes(null)).isZero();
    }

    @Test
    void takesTheDivisorIntoAccount() {
        EntrySizer wrong = new EntrySizer(4);
        assertThat(wrong.sizeBytes(new byte[4000])).isEqualTo(1008);
        assertThat(wrong.sizeBytes(List.of(new byte[4000]))).isBetween(900L, 1100L);
        assertThatThrownBy(() -> new EntrySizer(0)).hasMessageContaining("0");
    }
}
