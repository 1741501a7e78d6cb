/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.BoundedReader;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.segment.KeyGroupEntry;
import io.strata.flink.segment.SegmentLayout.ByteRange;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Compares the data of one range of a segment with the checksums of its key groups while it passes
 * by, from its first byte to its last: so that a download need not be read again (I4). Used by one
 * thread.
 */
public final class DataChecksums {

    private final String fileName;
    private final List<KeyGroupEntry> entries;
    private final CRC32C checksum = new CRC32C();
    private int current;

    /**
     * Creates it for a range that holds the data of each key group whole or not at all.
     *
     * @param fileName how errors name the file
     */
    public DataChecksums(String fileName, SegmentLayout layout, ByteRange range) {
        this.fileName = fileName;
        this.entries =
                layout.dataEntries().stream()
                        .filter(entry -> entry.dataOffset() >= range.offset())
                        .filter(entry -> entry.dataEnd() <= range.end())
                        .toList();
    }

    /**
     * Takes the next bytes.
     *
     * @param position where they are in the segment
     * @throws CorruptFormatException when they complete a key group whose checksum is another one
     */
    public void update(long position, byte[] bytes, int offset, int length)
            throws CorruptFormatException {
        int done = 0;
        while (done < length && current < entries.size()) {
            KeyGroupEntry entry = entries.get(current);
            long from = Math.max(position + done, entry.dataOffset());
            long to = Math.min(position + length, entry.dataEnd());
            if (from >= to) {
                return;
            }
            checksum.update(bytes, offset + (int) (from - position), (int) (to - from));
            done = (int) (to - position);
            if (to == entry.dataEnd()) {
                finish(entry);
            }
        }
    }

    private void finish(KeyGroupEntry entry) throws CorruptFormatException {
        BoundedReader.requireChecksum(
                fileName,
                "data of key group " + entry.keyGroup(),
                entry.dataChecksum(),
                (int) checksum.getValue());
        checksum.reset();
        current++;
    }

    /** Fails when not all of the range passed by. */
    public void requireComplete() {
        if (current < entries.size()) {
            throw new IllegalStateException(
                    fileName + ": key group " + entries.get(current).keyGroup() + " was left out");
        }
    }
}
