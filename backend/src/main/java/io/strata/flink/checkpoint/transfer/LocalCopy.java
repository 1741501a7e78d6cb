/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import io.strata.flink.io.StorageDirectory;
import io.strata.flink.io.StorageOutput;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.runtime.state.DirectoryStateHandle;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;

/**
 * The task-local copy of one checkpoint: a directory with a hard link to the file of every segment,
 * and the timers and the metadata as they are in the checkpoint. Used by one thread.
 *
 * <p>When it is complete, Flink deletes the directory together with the handle that names it.
 */
public final class LocalCopy {

    private static final String METADATA_NAME = "metadata";
    private static final String TIMERS_NAME = "timers";

    private final Path path;
    private final StorageDirectory directory;

    public LocalCopy(Path path, StorageDirectory directory) {
        this.path = path;
        this.directory = directory;
    }

    /** Links to a segment's file, holes included. */
    public void addSegment(SegmentUploader.Source source, String name) throws IOException {
        directory.linkIn(source.directory().path(source.segment().id().fileName()), name);
    }

    /** Writes the timers. */
    public void writeTimers(CheckpointTarget.Content content) throws IOException {
        write(TIMERS_NAME, content);
    }

    /** Writes the metadata. */
    public void writeMetadata(byte[] metadata) throws IOException {
        write(METADATA_NAME, out -> out.write(metadata));
    }

    private void write(String name, CheckpointTarget.Content content) throws IOException {
        try (OutputStream out = new BufferedOutputStream(new Output(directory.create(name)))) {
            content.writeTo(out);
        }
    }

    /** Returns the handle of the metadata. */
    public StreamStateHandle metadata() throws IOException {
        return fileIn(path, METADATA_NAME);
    }

    /** Returns the handle of the directory, which owns all that is in it from now on. */
    public DirectoryStateHandle complete() {
        return DirectoryStateHandle.forPathWithSize(path);
    }

    /** Deletes the directory with all that is in it. */
    public void discard() throws IOException {
        directory.close();
    }

    /**
     * Returns a handle of the timers in the directory of a complete copy.
     *
     * @throws IOException if they are missing
     */
    public static StreamStateHandle timersIn(Path directory) throws IOException {
        return fileIn(directory, TIMERS_NAME);
    }

    private static StreamStateHandle fileIn(Path directory, String name) throws IOException {
        org.apache.flink.core.fs.Path file =
                new org.apache.flink.core.fs.Path(directory.resolve(name).toUri());
        long bytes = FileSystem.getLocalFileSystem().getFileStatus(file).getLen();
        return new FileStateHandle(file, bytes);
    }

    /** A file as a stream. */
    private static final class Output extends OutputStream {

        private final StorageOutput file;

        Output(StorageOutput file) {
            this.file = file;
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            file.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
