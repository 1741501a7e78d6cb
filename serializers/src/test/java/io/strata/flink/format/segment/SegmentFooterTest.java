/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.format.bytes.Checksums;
import io.strata.flink.format.bytes.CorruptFormatException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Footer, header and trailer, also when a wrong one carries a right checksum. */
class SegmentFooterTest {

    private static final int PAGE_BYTES = 128;
    private static final SegmentId ID = new SegmentId(1, 2);
    private static final SegmentHeader HEADER =
            new SegmentHeader(ID, PAGE_BYTES, PageCompression.NONE);
    private static final SegmentFooter FOOTER =
            new SegmentFooter(
                    List.of(
                            run("a", SegmentHeaderDescriptor.HEADER_BYTES, entry(0), entry(9)),
                            run("ü", 40 + 2 * (200 + 20 + 96), entry(32767))));

    private static RunDirectory run(String name, long offset, KeyGroupEntry... entries) {
        return new RunDirectory(new RunSpec(name, true, -5), offset, List.of(entries));
    }

    private static KeyGroupEntry entry(int keyGroup) {
        return new KeyGroupEntry(keyGroup, 0, 200, 2, 10, 4, -1, 5, 0, 2 * 10, 0, 3, 11, 12, 13);
    }

    @Test
    void readsBackWhatWasWritten() throws CorruptFormatException {
        SegmentFooter decoded = decode(FOOTER.encode());
        assertThat(decoded).isEqualTo(FOOTER);
        KeyGroupEntry second = decoded.runs().get(0).keyGroups().get(1);
        assertThat(second.dataOffset()).isEqualTo(240);
        assertThat(second.indexOffset()).isEqualTo(440 + 20);
        assertThat(second.filterOffset()).isEqualTo(440 + 40 + 96);
    }

    /** Whatever the bytes are, there is a typed exception or a footer, never another failure. */
    @Test
    void survivesAnyBytes() {
        Random random = new Random(5);
        byte[] good = FOOTER.encode();
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = good.clone();
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                int at = random.nextInt(bytes.length);
                bytes[at] = (byte) (random.nextBoolean() ? -1 : random.nextInt());
            }
            try {
                decode(bytes);
            } catch (CorruptFormatException e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(10_000);
    }

    @Test
    void refusesAWrongChecksum() {
        byte[] bytes = FOOTER.encode();
        SegmentTrailer trailer = new SegmentTrailer(ID, end(), bytes.length, 1);
        assertThatThrownBy(() -> SegmentFooter.decode("f", trailer, HEADER, bytes))
                .isInstanceOf(CorruptFormatException.class)
                .hasMessageContaining("footer");
    }

    @Test
    void refusesKeyGroupsOutOfOrder() {
        int second =
                FooterDescriptor.FOOTER_HEADER_BYTES
                        + FooterDescriptor.RUN_HEADER_BYTES
                        + 1
                        + FooterDescriptor.GROUP_BYTES;
        byte[] bytes = FOOTER.encode();
        assertThat(bytes[second]).isEqualTo((byte) 9);
        bytes[second] = 0;
        assertThatThrownBy(() -> decode(bytes))
                .isInstanceOf(CorruptFormatException.class)
                .hasMessageContaining("key group");
    }

    @Test
    void headerAndTrailerReadBack() throws Exception {
        SegmentHeader header = new SegmentHeader(ID, 4096, PageCompression.LZ4);
        assertThat(SegmentHeader.decode("f", ID, header.encode())).isEqualTo(header);
        SegmentTrailer trailer = new SegmentTrailer(ID, 1000, 50, -7);
        assertThat(SegmentTrailer.decode("f", ID, 1098, trailer.encode())).isEqualTo(trailer);
        assertThatThrownBy(() -> SegmentTrailer.decode("f", ID, 1099, trailer.encode()))
                .isInstanceOf(CorruptFormatException.class)
                .hasMessageContaining("expected to end at 1051, found at 1000, 50 bytes");
    }

    @Test
    void refusesPageSizesThatNobodyWrites() {
        for (int pageBytes : new int[] {0, 63, 65537, -1}) {
            byte[] bytes = new SegmentHeader(ID, pageBytes, PageCompression.NONE).encode();
            assertThatThrownBy(() -> SegmentHeader.decode("f", ID, bytes))
                    .isInstanceOf(CorruptFormatException.class)
                    .hasMessageContaining("page bytes");
        }
    }

    @Test
    void headerBeginsAndTrailerEndsWithReadableMagic() {
        ByteBuffer header =
                ByteBuffer.wrap(new SegmentHeader(ID, 4096, PageCompression.LZ4).encode());
        assertThat(header.order(ByteOrder.BIG_ENDIAN).getLong(0)).isEqualTo(0x5354524154534547L);
        byte[] trailer = new SegmentTrailer(ID, 0, 0, 0).encode();
        assertThat(trailer).endsWith('S', 'T', 'R', 'E');
    }

    private static long end() {
        return FOOTER.runs().get(1).endOffset();
    }

    private static SegmentFooter decode(byte[] bytes) throws CorruptFormatException {
        int checksum = Checksums.crc32c(bytes, 0, bytes.length);
        SegmentTrailer trailer = new SegmentTrailer(ID, end(), bytes.length, checksum);
        return SegmentFooter.decode("f", trailer, HEADER, bytes);
    }
}
