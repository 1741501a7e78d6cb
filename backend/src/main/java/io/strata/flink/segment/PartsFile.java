/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.io.StorageDirectory;
import io.strata.flink.io.StorageInput;
import io.strata.flink.io.StorageOutput;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes that are known before their place in a segment is: in memory as long as they are few, and
 * in a temporary file next to it from then on, since those of a large run do not fit the heap.
 *
 * <p>Belongs to one thread.
 */
final class PartsFile implements Closeable {

    private static final int COPY_BYTES = 64 << 10;

    private final StorageDirectory directory;
    private final String name;
    private final int memoryBytes;
    private final List<byte[]> parts = new ArrayList<>();
    private int buffered;
    private StorageOutput file;

    /**
     * Begins without a file.
     *
     * @param name of the file, if there will be one
     * @param memoryBytes how much is kept in memory
     */
    PartsFile(StorageDirectory directory, String name, int memoryBytes) {
        this.directory = directory;
        this.name = name;
        this.memoryBytes = memoryBytes;
    }

    /** Adds a part, which is this object's from then on. */
    void add(byte[] part) throws IOException {
        parts.add(part);
        buffered += part.length;
        if (buffered > memoryBytes) {
            spill();
        }
    }

    private void spill() throws IOException {
        if (file == null) {
            file = directory.create(name);
        }
        for (byte[] part : parts) {
            file.write(part, 0, part.length);
        }
        parts.clear();
        buffered = 0;
    }

    /** Writes all parts in their order; nothing can be added afterwards. */
    void drainTo(SegmentOut out) throws IOException {
        if (file != null) {
            spill();
            file.close();
            copyFile(out);
        }
        for (byte[] part : parts) {
            out.write(part);
        }
    }

    private void copyFile(SegmentOut out) throws IOException {
        try (StorageInput in = directory.open(name)) {
            ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
            for (long at = 0; at < in.sizeBytes(); at += buffer.limit()) {
                buffer.clear().limit((int) Math.min(COPY_BYTES, in.sizeBytes() - at));
                in.readFully(at, buffer);
                out.write(buffer.array(), 0, buffer.limit());
            }
        }
    }

    /** Deletes the file, if there is one. */
    @Override
    public void close() throws IOException {
        parts.clear();
        if (file != null) {
            StorageOutput written = file;
            file = null;
            try {
                written.close();
            } finally {
                directory.delete(name);
            }
        }
    }
}
