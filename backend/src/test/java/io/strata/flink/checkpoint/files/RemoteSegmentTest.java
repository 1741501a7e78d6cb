/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.segment.SegmentLayout.ByteRange;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Finds parts of a segment in a file that holds only some of it. */
class RemoteSegmentTest {

    @Test
    void findsEverythingInAWholeFileWhereItIs() {
        RemoteSegment whole = RemoteSegment.whole(new SegmentId(1, 2), 100);

        assertThat(whole.uploadedBytes()).isEqualTo(100);
        assertThat(whole.locate(0, 100)).isZero();
        assertThat(whole.locate(99, 1)).isEqualTo(99);
        assertThat(whole.locate(99, 2)).isEqualTo(-1);
    }

    @Test
    void closesTheGapsOfAPartialFile() {
        RemoteSegment partial =
                new RemoteSegment(
                        new SegmentId(1, 2),
                        100,
                        new KeyGroupSpan(3, 4),
                        List.of(
                                new ByteRange(0, 10),
                                new ByteRange(40, 20),
                                new ByteRange(90, 10)));

        assertThat(partial.uploadedBytes()).isEqualTo(40);
        assertThat(partial.locate(5, 5)).isEqualTo(5);
        assertThat(partial.locate(40, 20)).isEqualTo(10);
        assertThat(partial.locate(50, 10)).isEqualTo(20);
        assertThat(partial.locate(92, 8)).isEqualTo(32);
        assertThat(partial.locate(10, 1)).isEqualTo(-1);
        assertThat(partial.locate(55, 10)).isEqualTo(-1);
    }
}
