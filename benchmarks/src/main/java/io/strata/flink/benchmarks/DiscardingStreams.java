/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;

/**
 * Checkpoint storage of infinite speed: counts what is written and forgets it. What backends do to
 * make a checkpoint is measured, the storage is not.
 */
final class DiscardingStreams implements CheckpointStreamFactory {

    private final AtomicLong writtenBytes = new AtomicLong();

    long writtenBytes() {
        return writtenBytes.get();
    }

    @Override
    public CheckpointStateOutputStream createCheckpointStateOutputStream(
            CheckpointedStateScope scope) {
        return new DiscardingStream();
    }

    @Override
    public boolean canFastDuplicate(StreamStateHandle handle, CheckpointedStateScope scope) {
        return false;
    }

    @Override
    public List<StreamStateHandle> duplicate(
            List<StreamStateHandle> handles, CheckpointedStateScope scope) {
        throw new UnsupportedOperationException("Nothing here can be duplicated");
    }

    private final class DiscardingStream extends CheckpointStateOutputStream {

        private long position;

        @Override
        public long getPos() {
            return position;
        }

        @Override
        public void write(int b) {
            position++;
            writtenBytes.incrementAndGet();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            position += length;
            writtenBytes.addAndGet(length);
        }

        @Override
        public void flush() {}

        @Override
        public void sync() {}

        @Override
        public void close() {}

        @Override
        public StreamStateHandle closeAndGetHandle() {
            return new ByteStreamStateHandle(UUID.randomUUID().toString(), new byte[1]);
        }
    }
}
