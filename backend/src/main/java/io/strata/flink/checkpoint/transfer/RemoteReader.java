/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import io.strata.flink.checkpoint.files.RemoteSegment;
import io.strata.flink.format.bytes.CorruptFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.core.fs.FSDataInputStream;

/**
 * A remote file that answers for positions in the segment, and reads no byte twice of what it was
 * told to keep: of a small segment, the footer is a good part.
 */
final class RemoteReader {

    private final RemoteSegment remote;
    private final FSDataInputStream in;
    private final TreeMap<Long, byte[]> kept = new TreeMap<>();

    RemoteReader(RemoteSegment remote, FSDataInputStream in) {
        this.remote = remote;
        this.in = in;
    }

    /** Fills a buffer from a position in the segment, and keeps the bytes. */
    void readAndKeep(long position, ByteBuffer target) throws IOException {
        byte[] bytes = new byte[target.remaining()];
        readRemote(position, bytes, 0, bytes.length);
        kept.put(position, bytes);
        target.put(bytes);
    }

    /** Fills a part of an array from a position in the segment. */
    void readFully(long position, byte[] target, int offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
            done += readSome(position + done, target, offset + done, length - done);
        }
    }

    /** Reads up to the next place where kept bytes begin or end. */
    private int readSome(long position, byte[] target, int offset, int length) throws IOException {
        Map.Entry<Long, byte[]> before = kept.floorEntry(position);
        if (before != null && position < before.getKey() + before.getValue().length) {
            int skipped = (int) (position - before.getKey());
            int count = Math.min(length, before.getValue().length - skipped);
            System.arraycopy(before.getValue(), skipped, target, offset, count);
            return count;
        }
        Long next = kept.higherKey(position);
        int count = next == null ? length : (int) Math.min(length, next - position);
        readRemote(position, target, offset, count);
        return count;
    }

    private void readRemote(long position, byte[] target, int offset, int length)
            throws IOException {
        long uploadedAt = remote.locate(position, length);
        if (uploadedAt < 0) {
            throw cut(length + " bytes at " + position, "not in the uploaded ranges");
        }
        in.seek(uploadedAt);
        int read = in.readNBytes(target, offset, length);
        if (read < length) {
            throw cut(length + " bytes at " + position, read + " bytes, then the end of it");
        }
    }

    private CorruptFormatException cut(String expected, String found) {
        return new CorruptFormatException(remote.id().fileName(), "remote file", expected, found);
    }
}
