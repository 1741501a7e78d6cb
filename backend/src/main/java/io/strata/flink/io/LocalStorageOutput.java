/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.io;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A local file being written.
 *
 * <p>A {@link RandomAccessFile}, because a channel closes itself when its writer is interrupted.
 */
final class LocalStorageOutput implements StorageOutput {

    private static final int COPY_BYTES = 64 << 10;

    private final Path path;
    private final RandomAccessFile file;
    private long position;
    private long filePosition;

    LocalStorageOutput(Path path) throws IOException {
        this.path = path;
        this.file = new RandomAccessFile(path.toFile(), "rw");
    }

    @Override
    public String name() {
        return path.getFileName().toString();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        writeAt(position, bytes, offset, length);
        position += length;
    }

    @Override
    public void write(ByteBuffer source) throws IOException {
        if (source.hasArray()) {
            int start = source.arrayOffset() + source.position();
            write(source.array(), start, source.remaining());
            source.position(source.limit());
            return;
        }
        byte[] part = new byte[Math.min(COPY_BYTES, source.remaining())];
        while (source.hasRemaining()) {
            int length = Math.min(part.length, source.remaining());
            source.get(part, 0, length);
            write(part, 0, length);
        }
    }

    @Override
    public void writeAt(long at, byte[] bytes, int offset, int length) throws IOException {
        try {
            if (at != filePosition) {
                file.seek(at);
            }
            filePosition = -1;
            file.write(bytes, offset, length);
            filePosition = at + length;
        } catch (IOException e) {
            throw LocalStorageDirectory.named("cannot write at " + at, path, e);
        }
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public void close() throws IOException {
        try {
            file.close();
        } catch (IOException e) {
            throw LocalStorageDirectory.named("cannot close", path, e);
        }
    }
}
