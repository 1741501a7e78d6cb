/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SegmentIdTest {

    @Test
    void namesItsFile() {
        SegmentId id = new SegmentId(0xFEDC_0000_0000_0001L, 0x2L);
        assertThat(id.fileName()).isEqualTo("fedc0000000000010000000000000002.seg");
        assertThat(SegmentId.parse(id.fileName())).isEqualTo(id);
        assertThat(SegmentId.parse(id.toString())).isEqualTo(id);
    }

    @Test
    void refusesOtherNames() {
        for (String name :
                new String[] {"", "x.seg", "1".repeat(31), "1".repeat(33), "+" + "1".repeat(31)}) {
            assertThatThrownBy(() -> SegmentId.parse(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(name);
        }
    }

    @Test
    void spansOfKeyGroups() {
        KeyGroupSpan span = new KeyGroupSpan(3, 7);
        assertThat(span.contains(3) && span.contains(7)).isTrue();
        assertThat(span.contains(2) || span.contains(8)).isFalse();
        assertThat(span.size()).isEqualTo(5);
        assertThat(span.intersection(new KeyGroupSpan(6, 9))).isEqualTo(new KeyGroupSpan(6, 7));
        assertThat(span.intersection(new KeyGroupSpan(8, 9))).isNull();
        assertThat(KeyGroupSpan.ALL.containsAll(span)).isTrue();
        assertThat(span.containsAll(KeyGroupSpan.ALL)).isFalse();
        assertThatThrownBy(() -> new KeyGroupSpan(1, 0)).hasMessageContaining("1..0");
        assertThatThrownBy(() -> new KeyGroupSpan(-1, 0)).hasMessageContaining("-1..0");
        assertThatThrownBy(() -> new KeyGroupSpan(0, 32768)).hasMessageContaining("32768");
    }
}
