/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataInputStreamWrapper;
import org.apache.flink.core.fs.Path;
import org.apache.flink.runtime.state.IncrementalKeyedStateHandle.HandleAndLocalPath;
import org.apache.flink.runtime.state.IncrementalRemoteKeyedStateHandle;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.PhysicalStateHandleID;
import org.apache.flink.runtime.state.StreamStateHandle;

/** Handles whose files count what is read of them. Any thread may read. */
final class CountedHandles {

    private final AtomicLong readBytes = new AtomicLong();

    long readBytes() {
        return readBytes.get();
    }

    /** Returns the same checkpoint, counted. */
    KeyedStateHandle count(KeyedStateHandle handle) {
        IncrementalRemoteKeyedStateHandle all = (IncrementalRemoteKeyedStateHandle) handle;
        return new IncrementalRemoteKeyedStateHandle(
                all.getBackendIdentifier(),
                all.getKeyGroupRange(),
                all.getCheckpointId(),
                count(all.getSharedState()),
                count(all.getPrivateState()),
                new CountedHandle(all.getMetaDataStateHandle()));
    }

    private List<HandleAndLocalPath> count(List<HandleAndLocalPath> files) {
        return files.stream()
                .map(
                        file ->
                                HandleAndLocalPath.of(
                                        new CountedHandle(file.getHandle()), file.getLocalPath()))
                .toList();
    }

    private final class CountedHandle implements StreamStateHandle {

        private static final long serialVersionUID = 1L;

        private final StreamStateHandle file;

        CountedHandle(StreamStateHandle file) {
            this.file = file;
        }

        @Override
        public FSDataInputStream openInputStream() throws IOException {
            return new CountedStream(file.openInputStream());
        }

        @Override
        public Optional<byte[]> asBytesIfInMemory() {
            Optional<byte[]> bytes = file.asBytesIfInMemory();
            bytes.ifPresent(all -> readBytes.addAndGet(all.length));
            return bytes;
        }

        @Override
        public Optional<Path> maybeGetPath() {
            return file.maybeGetPath();
        }

        @Override
        public PhysicalStateHandleID getStreamStateHandleID() {
            return file.getStreamStateHandleID();
        }

        @Override
        public void discardState() {
            throw new UnsupportedOperationException("A restore discards nothing");
        }

        @Override
        public long getStateSize() {
            return file.getStateSize();
        }
    }

    private final class CountedStream extends FSDataInputStreamWrapper {

        CountedStream(FSDataInputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            if (read >= 0) {
                readBytes.incrementAndGet();
            }
            return read;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = inputStream.read(bytes, offset, length);
            readBytes.addAndGet(Math.max(0, read));
            return read;
        }

        @Override
        public int read(byte[] bytes) throws IOException {
            return read(bytes, 0, bytes.length);
        }
    }
}
