/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.StreamStateHandle;

/** A checkpoint storage whose operations fail when they are told to, with the message "planted". */
public final class FailingStreams implements CheckpointStreamFactory {

    private final CheckpointStreamFactory real;
    private final BooleanSupplier fails;
    private final Runnable closed;
    private final AtomicInteger openStreams = new AtomicInteger();

    /**
     * Wraps a storage.
     *
     * @param fails asked before every operation, by any thread
     */
    public FailingStreams(CheckpointStreamFactory real, BooleanSupplier fails) {
        this(real, fails, () -> {});
    }

    /**
     * Wraps a storage.
     *
     * @param fails asked before every operation, by any thread
     * @param closed runs before a stream is closed, by any thread
     */
    public FailingStreams(CheckpointStreamFactory real, BooleanSupplier fails, Runnable closed) {
        this.real = real;
        this.fails = fails;
        this.closed = closed;
    }

    /** Streams that were neither closed nor asked for their handle. */
    public int openStreams() {
        return openStreams.get();
    }

    private void maybeFail() throws IOException {
        if (fails.getAsBoolean()) {
            throw new IOException("planted");
        }
    }

    @Override
    public CheckpointStateOutputStream createCheckpointStateOutputStream(
            CheckpointedStateScope scope) throws IOException {
        maybeFail();
        return new FailingStream(real.createCheckpointStateOutputStream(scope));
    }

    @Override
    public boolean canFastDuplicate(StreamStateHandle handle, CheckpointedStateScope scope) {
        return false;
    }

    @Override
    public List<StreamStateHandle> duplicate(
            List<StreamStateHandle> handles, CheckpointedStateScope scope) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void reusePreviousStateHandle(Collection<? extends StreamStateHandle> previousHandle) {
        real.reusePreviousStateHandle(previousHandle);
    }

    @Override
    public boolean couldReuseStateHandle(StreamStateHandle handle) {
        return real.couldReuseStateHandle(handle);
    }

    private final class FailingStream extends CheckpointStateOutputStream {
        private final CheckpointStateOutputStream out;
        private final AtomicBoolean ended = new AtomicBoolean();

        FailingStream(CheckpointStateOutputStream out) {
            this.out = out;
            openStreams.incrementAndGet();
        }

        private void end() {
            if (ended.compareAndSet(false, true)) {
                openStreams.decrementAndGet();
            }
        }

        /** Ends the stream whether or not it succeeds, as Flink's streams do. */
        @Override
        public StreamStateHandle closeAndGetHandle() throws IOException {
            end();
            maybeFail();
            return out.closeAndGetHandle();
        }

        @Override
        public void write(int b) throws IOException {
            maybeFail();
            out.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            maybeFail();
            out.write(bytes, offset, length);
        }

        @Override
        public long getPos() throws IOException {
            return out.getPos();
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void sync() throws IOException {
            out.sync();
        }

        @Override
        public void close() throws IOException {
            end();
            closed.run();
            out.close();
        }
    }
}
