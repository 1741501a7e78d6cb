/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.memory.ByteArrayOutputStreamWithPos;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.PhysicalStateHandleID;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;

/**
 * Checkpoint storage in memory that knows which files exist: reading or discarding a discarded file
 * fails, and a file that nobody discarded can be found at the end. Any thread may call.
 */
final class StrictStreams {
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final Set<String> faults = ConcurrentHashMap.newKeySet();
    private final AtomicLong nextFile = new AtomicLong();

    /**
     * Returns the streams of one checkpoint.
     *
     * @param failAfterBytes the write that exceeds this many bytes in one stream fails
     */
    CheckpointStreamFactory factory(long checkpointId, long failAfterBytes) {
        return new CheckpointStreamFactory() {
            @Override
            public CheckpointStateOutputStream createCheckpointStateOutputStream(
                    CheckpointedStateScope scope) {
                String name = checkpointId + "/" + scope + "-" + nextFile.incrementAndGet();
                return new Output(name, failAfterBytes);
            }

            @Override
            public boolean canFastDuplicate(StreamStateHandle handle, CheckpointedStateScope s) {
                return false;
            }

            @Override
            public List<StreamStateHandle> duplicate(
                    List<StreamStateHandle> handles, CheckpointedStateScope scope) {
                throw new UnsupportedOperationException("not offered by this storage");
            }
        };
    }

    /** Returns the names of the files that exist. */
    Set<String> existing() {
        return new TreeSet<>(files.keySet());
    }

    /** Returns what went wrong, such as a file discarded twice or read after its end. */
    Set<String> faults() {
        return new TreeSet<>(faults);
    }

    private final class Output extends CheckpointStateOutputStream {
        private final String name;
        private final long failAfterBytes;
        private final ByteArrayOutputStreamWithPos bytes = new ByteArrayOutputStreamWithPos();
        private volatile boolean closed;

        private Output(String name, long failAfterBytes) {
            this.name = name;
            this.failAfterBytes = failAfterBytes;
        }

        @Override
        public void write(int b) throws IOException {
            checkWritable(1);
            bytes.write(b);
        }

        @Override
        public void write(byte[] b, int off, int len) throws IOException {
            checkWritable(len);
            bytes.write(b, off, len);
        }

        private void checkWritable(int more) throws IOException {
            if (closed) {
                throw new IOException(name + " is closed");
            }
            if (bytes.getPosition() + more > failAfterBytes) {
                throw new IOException(name + ": fault planned by the test");
            }
        }

        @Override
        public long getPos() {
            return bytes.getPosition();
        }

        @Override
        public void flush() {}

        @Override
        public void sync() {}

        @Override
        public StreamStateHandle closeAndGetHandle() throws IOException {
            if (closed) {
                throw new IOException(name + " is closed");
            }
            closed = true;
            files.put(name, bytes.toByteArray());
            return new Handle(name, bytes.getPosition());
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private final class Handle implements StreamStateHandle {
        private static final long serialVersionUID = 1L;

        private final String name;
        private final long sizeBytes;

        private Handle(String name, long sizeBytes) {
            this.name = name;
            this.sizeBytes = sizeBytes;
        }

        @Override
        public FSDataInputStream openInputStream() throws IOException {
            byte[] content = files.get(name);
            if (content == null) {
                faults.add(name + " opened after it was discarded");
                throw new IOException(name + " was discarded");
            }
            return new ByteStreamStateHandle(name, content).openInputStream();
        }

        @Override
        public Optional<byte[]> asBytesIfInMemory() {
            return Optional.empty();
        }

        @Override
        public PhysicalStateHandleID getStreamStateHandleID() {
            return new PhysicalStateHandleID(name);
        }

        @Override
        public void discardState() {
            if (files.remove(name) == null) {
                faults.add(name + " discarded twice");
            }
        }

        @Override
        public long getStateSize() {
            return sizeBytes;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Handle handle && handle.name.equals(name);
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
