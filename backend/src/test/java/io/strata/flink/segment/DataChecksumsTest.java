/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.segment.KeyGroupEntry;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.segment.SegmentLayout.ByteRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data that passes by in pieces of any length, whole segments and parts of them. */
class DataChecksumsTest {

    private static final String NAME = SmallSegment.ID.fileName();

    @TempDir private Path directory;

    private byte[] file;
    private SegmentLayout layout;

    @BeforeEach
    void write() throws IOException {
        try (LocalStorageDirectory storage = LocalStorageDirectory.create(directory.resolve("s"))) {
            SmallSegment.write(storage);
            file = Files.readAllBytes(storage.path(NAME));
        }
        layout = SegmentLayout.read(NAME, SmallSegment.ID, file.length, this::readFully);
    }

    private void readFully(long position, ByteBuffer target) {
        target.put(file, (int) position, target.remaining());
    }

    @Test
    void acceptsWhatWasWritten() {
        for (int lastKeyGroup : new int[] {3, 77}) {
            KeyGroupSpan span = new KeyGroupSpan(0, lastKeyGroup);
            for (int pieceBytes = 1; pieceBytes <= file.length; pieceBytes++) {
                int piece = pieceBytes;
                assertThatCode(() -> pass(span, piece))
                        .as("pieces of %d bytes", piece)
                        .doesNotThrowAnyException();
            }
        }
    }

    @Test
    void namesTheKeyGroupOfEveryAlteredByte() {
        for (KeyGroupEntry entry : layout.dataEntries()) {
            for (long at = entry.dataOffset(); at < entry.dataEnd(); at++) {
                file[(int) at] ^= 1;
                assertThatThrownBy(() -> pass(KeyGroupSpan.ALL, 50))
                        .as("byte %d", at)
                        .isInstanceOf(CorruptFormatException.class)
                        .hasMessageContaining(NAME)
                        .hasMessageContaining("data of key group " + entry.keyGroup());
                file[(int) at] ^= 1;
            }
        }
    }

    @Test
    void doesNotTakePartForTheWhole() {
        ByteRange all = new ByteRange(0, file.length);
        DataChecksums checksums = new DataChecksums(NAME, layout, all);

        assertThatThrownBy(checksums::requireComplete)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("key group 3 was left out");
    }

    /** Lets all ranges of a span pass by. */
    private void pass(KeyGroupSpan span, int pieceBytes) throws CorruptFormatException {
        for (ByteRange range : layout.rangesFor(span)) {
            DataChecksums checksums = new DataChecksums(NAME, layout, range);
            for (long at = range.offset(); at < range.end(); at += pieceBytes) {
                int length = (int) Math.min(pieceBytes, range.end() - at);
                checksums.update(at, file, (int) at, length);
            }
            checksums.requireComplete();
        }
    }
}
