/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.GraphLayout;

/** The sizer against what objects really take. */
class EntrySizerTest {

    static {
        System.setProperty("jol.skipDynamicAttach", "true");
        System.setProperty("jol.skipHotspotSAAttach", "true");
    }

    @Test
    void knowsWhatCommonValuesTake() {
        EntrySizer sizer = EntrySizer.adaptive();
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
                    .isEqualTo(GraphLayout.parseInstance(value).totalSize());
        }
        assertThat(sizer.sizeBytes(null)).isZero();
    }

    @Test
    void learnsFromSerializedLengths() {
        EntrySizer sizer = EntrySizer.adaptive();
        long unknown = sizer.sizeBytes(List.of());
        assertThat(unknown).isPositive();
        for (int i = 0; i < 500; i++) {
            sizer.observe(1000);
        }
        assertThat(sizer.sizeBytes(List.of())).isBetween(1000L, 4000L);
        for (int i = 0; i < 500; i++) {
            sizer.observe(10);
        }
        assertThat(sizer.sizeBytes(List.of())).isBetween(10L, 100L);
    }

    @Test
    void takesAFixedSizeAsGiven() {
        assertThat(EntrySizer.fixed(48).sizeBytes(List.of())).isEqualTo(48);
        assertThatThrownBy(() -> EntrySizer.fixed(-1)).hasMessageContaining("-1");
    }
}
