/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

import static io.strata.flink.format.segment.FooterDescriptor.GROUP_BYTES;

import io.strata.flink.format.bytes.BoundedReader;
import io.strata.flink.format.bytes.CorruptFormatException;
import java.nio.ByteBuffer;

/**
 * What the directory of a run says of one key group; bytes as {@link FooterDescriptor} says.
 *
 * @param keyGroup the key group
 * @param dataOffset where its pages begin in the file
 * @param dataBytes the length of its pages
 * @param pages the number of its pages
 * @param records the number of its records, at least 1
 * @param tombstones how many of them are DELETEs
 * @param minTtl smallest TTL timestamp, {@link #NO_TTL} when there is none
 * @param maxTtl largest TTL timestamp, {@link #NO_TTL} when a record never expires or there is none
 * @param indexOffset where its part of the index begins
 * @param indexBytes the length of its part of the index
 * @param filterOffset where its filter begins
 * @param filterBlocks the blocks of its filter
 * @param dataChecksum CRC32C of its pages
 * @param indexChecksum CRC32C of its part of the index
 * @param filterChecksum CRC32C of its filter
 */
public record KeyGroupEntry(
        int keyGroup,
        long dataOffset,
        long dataBytes,
        int pages,
        long records,
        long tombstones,
        long minTtl,
        long maxTtl,
        long indexOffset,
        long indexBytes,
        long filterOffset,
        int filterBlocks,
        int dataChecksum,
        int indexChecksum,
        int filterChecksum) {

    /** The TTL timestamp of a record that never expires. */
    public static final long NO_TTL = Long.MAX_VALUE;

    /** Returns the offset after its data. */
    public long dataEnd() {
        return dataOffset + dataBytes;
    }

    /** Returns the length of its filter. */
    public long filterBytes() {
        return (long) filterBlocks * FilterDescriptor.BLOCK_BYTES;
    }

    void encode(ByteBuffer out) {
        int start = out.position();
        out.putInt(keyGroup).putInt(filterBlocks).putLong(dataBytes);
        out.putLong(records).putLong(tombstones);
        out.putLong(minTtl).putLong(maxTtl);
        out.putInt(pages).putInt(dataChecksum).putInt(indexChecksum).putInt(filterChecksum);
        assert out.position() == start + GROUP_BYTES;
    }

    /** Decodes an entry whose offsets are not known yet; see {@link #at}. */
    static KeyGroupEntry decode(BoundedReader in, int minKeyGroup, SegmentHeader header)
            throws CorruptFormatException {
        int keyGroup = in.readInt("key group", minKeyGroup, KeyGroupSpan.MAX_KEY_GROUP);
        String of = " of key group " + keyGroup;
        int filterBlocks = in.readInt("filter blocks" + of, 1, Integer.MAX_VALUE);
        long dataBytes = in.readLong("data bytes" + of, 1, Long.MAX_VALUE / 2);
        boolean isCompressed = header.compression() != PageCompression.NONE;
        long mostRecords = isCompressed ? Long.MAX_VALUE : dataBytes;
        long records = in.readLong("records" + of, 1, mostRecords);
        long tombstones = in.readLong("tombstones" + of, 0, records);
        long minTtl = in.readLong("smallest TTL timestamp" + of);
        long maxTtl = in.readLong("largest TTL timestamp" + of, minTtl, Long.MAX_VALUE);
        int pages = readPages(in, of, header, dataBytes);
        return new KeyGroupEntry(
                keyGroup,
                0,
                dataBytes,
                pages,
                records,
                tombstones,
                minTtl,
                maxTtl,
                0,
                IndexDescriptor.bytes(header, pages),
                0,
                filterBlocks,
                in.readInt("data checksum" + of),
                in.readInt("index checksum" + of),
                in.readInt("filter checksum" + of));
    }

    private static int readPages(BoundedReader in, String of, SegmentHeader header, long dataBytes)
            throws CorruptFormatException {
        long least = (dataBytes + header.pageBytes() - 1) / header.pageBytes();
        if (IndexDescriptor.hasLengths(header.version())) {
            long most = Math.min(Integer.MAX_VALUE, dataBytes);
            return in.readInt("pages" + of, (int) Math.min(Integer.MAX_VALUE, least), (int) most);
        }
        int pages = in.readInt("pages" + of);
        in.requireEqual("pages" + of, least, pages);
        return pages;
    }

    /** Returns this entry with its offsets, which the format derives from the lengths. */
    public KeyGroupEntry at(long data, long index, long filter) {
        return new KeyGroupEntry(
                keyGroup,
                data,
                dataBytes,
                pages,
                records,
                tombstones,
                minTtl,
                maxTtl,
                index,
                indexBytes,
                filter,
                filterBlocks,
                dataChecksum,
                indexChecksum,
                filterChecksum);
    }
}
