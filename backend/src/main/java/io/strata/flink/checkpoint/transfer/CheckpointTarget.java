/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.state.CheckpointStateOutputStream;
import org.apache.flink.runtime.state.CheckpointStreamFactory;
import org.apache.flink.runtime.state.CheckpointedStateScope;
import org.apache.flink.runtime.state.StateUtil;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.util.IOUtils;

/**
 * The remote side of one checkpoint: writes its files and takes all of them back when it fails.
 *
 * <p>Thread-safe. Streams are opened one after another, since Flink does not promise that a factory
 * may be asked by several threads.
 */
public final class CheckpointTarget {

    private final CheckpointStreamFactory factory;
    private final CheckpointedStateScope segmentScope;
    private final CloseableRegistry cancellation;
    private final List<StreamStateHandle> written = new ArrayList<>();

    /** Writes the content of one file. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * Creates the target.
     *
     * @param segmentScope whether segments belong to this checkpoint alone
     * @param cancellation closes the streams that are open when the checkpoint is cancelled
     */
    public CheckpointTarget(
            CheckpointStreamFactory factory,
            CheckpointedStateScope segmentScope,
            CloseableRegistry cancellation) {
        this.factory = factory;
        this.segmentScope = segmentScope;
        this.cancellation = cancellation;
    }

    /** Writes a segment, which later checkpoints may refer to if the scope says so. */
    StreamStateHandle writeSegment(Content content) throws IOException {
        return write(segmentScope, content);
    }

    /** Writes a file that lives and dies with this checkpoint. */
    public StreamStateHandle writePrivate(Content content) throws IOException {
        return write(CheckpointedStateScope.EXCLUSIVE, content);
    }

    private StreamStateHandle write(CheckpointedStateScope scope, Content content)
            throws IOException {
        CheckpointStateOutputStream out = open(scope);
        boolean done = false;
        try {
            cancellation.registerCloseable(out);
            content.writeTo(out);
            if (!cancellation.unregisterCloseable(out)) {
                throw new CancellationException("the checkpoint was cancelled");
            }
            StreamStateHandle handle = out.closeAndGetHandle();
            done = true;
            keepTrack(handle);
            return handle;
        } finally {
            if (!done) {
                cancellation.unregisterCloseable(out);
                IOUtils.closeQuietly(out);
            }
        }
    }

    private synchronized CheckpointStateOutputStream open(CheckpointedStateScope scope)
            throws IOException {
        return factory.createCheckpointStateOutputStream(scope);
    }

    private synchronized void keepTrack(StreamStateHandle handle) throws IOException {
        if (handle == null) {
            throw new IOException("the checkpoint storage kept nothing of a file written to it");
        }
        written.add(handle);
    }

    /** Returns the bytes of all files written so far. */
    public synchronized long writtenBytes() {
        return written.stream().mapToLong(StreamStateHandle::getStateSize).sum();
    }

    /** Discards all files written so far; one that cannot be discarded is logged by Flink. */
    public synchronized void discardAll() {
        written.forEach(StateUtil::discardStateObjectQuietly);
        written.clear();
    }
}
