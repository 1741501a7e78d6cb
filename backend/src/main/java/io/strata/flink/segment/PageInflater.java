/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.CorruptFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * Reads pages from segments, verified and decompressed. Belongs to one thread, whose buffers it
 * keeps.
 */
public final class PageInflater {

    private static final LZ4SafeDecompressor LZ4 =
            LZ4Factory.fastestJavaInstance().safeDecompressor();

    private byte[] stored = new byte[0];
    private byte[] inflated = new byte[0];

    /**
     * Reads one page from the file and verifies its checksum.
     *
     * @param offset where the page begins in the file
     * @param storedBytes the bytes that it takes there
     * @param length the bytes of the page
     * @param target the little-endian buffer that gets the page from {@code targetIndex} on; its
     *     position and limit stay as they are
     * @throws CorruptFormatException when the page is not what was written
     */
    public void read(
            Segment segment,
            long offset,
            int storedBytes,
            int length,
            ByteBuffer target,
            int targetIndex)
            throws IOException {
        if (storedBytes == length) {
            segment.read(
                    offset, target.duplicate().limit(targetIndex + length).position(targetIndex));
        } else {
            stored = withRoom(stored, storedBytes);
            segment.read(offset, ByteBuffer.wrap(stored, 0, storedBytes));
            inflate(segment, offset, stored, 0, storedBytes, length);
            target.put(targetIndex, inflated, 0, length);
        }
        segment.verifyPage(offset, length, target, targetIndex);
    }

    /**
     * Decompresses a page into an array that is valid until the next call.
     *
     * @param offset where the page begins in the file
     */
    byte[] inflate(
            Segment segment, long offset, byte[] source, int index, int storedBytes, int length)
            throws CorruptFormatException {
        inflated = withRoom(inflated, length);
        int found;
        try {
            found = LZ4.decompress(source, index, storedBytes, inflated, 0, length);
        } catch (LZ4Exception e) {
            found = -1;
        }
        if (found != length) {
            throw new CorruptFormatException(
                    segment.id().fileName(),
                    "page at " + offset,
                    length + " bytes from an LZ4 block of " + storedBytes,
                    found < 0 ? "no such block" : found + " bytes");
        }
        return inflated;
    }

    private static byte[] withRoom(byte[] bytes, int length) {
        return bytes.length >= length ? bytes : new byte[length];
    }
}
