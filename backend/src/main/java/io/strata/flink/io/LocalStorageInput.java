/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.io;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A local file open for reading.
 *
 * <p>A {@link FileChannel} closes itself when one of its readers is interrupted. Whoever then finds
 * it closed opens the file anew and repeats its read; the interrupted thread does so with its flag
 * put aside meanwhile.
 */
final class LocalStorageInput implements StorageInput {

    private final Path path;
    private final long sizeBytes;
    private volatile FileChannel channel;
    private volatile boolean closed;

    LocalStorageInput(Path path) throws IOException {
        this.path = path;
        try {
            sizeBytes = Files.size(path);
            channel = FileChannel.open(path, StandardOpenOption.READ);
        } catch (IOException e) {
            throw LocalStorageDirectory.named("cannot open", path, e);
        }
    }

    @Override
    public String name() {
        return path.getFileName().toString();
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public void readFully(long position, ByteBuffer target) throws IOException {
        int start = target.position();
        boolean interrupted = false;
        try {
            while (target.hasRemaining()) {
                FileChannel current = channel;
                try {
                    readOnce(current, position + target.position() - start, target);
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                    reopen(current);
                } catch (ClosedChannelException e) {
                    reopen(current);
                }
            }
        } catch (EOFException e) {
            throw e;
        } catch (IOException e) {
            throw LocalStorageDirectory.named("cannot read at " + position, path, e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void readOnce(FileChannel from, long position, ByteBuffer target) throws IOException {
        if (from.read(target, position) < 0) {
            throw new EOFException(
                    path
                            + ": ends before position "
                            + (position + target.remaining())
                            + ", it has "
                            + from.size()
                            + " bytes");
        }
    }

    private synchronized void reopen(FileChannel failed) throws IOException {
        if (closed) {
            throw new IOException("input is closed");
        }
        if (channel == failed) {
            channel = FileChannel.open(path, StandardOpenOption.READ);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        try {
            channel.close();
        } catch (IOException e) {
            throw LocalStorageDirectory.named("cannot close", path, e);
        }
    }
}
