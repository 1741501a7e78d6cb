/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.snapshot;

import io.strata.flink.engine.StoreSnapshot;
import io.strata.flink.schema.SavedSchemas;
import io.strata.flink.timers.TimerSnapshot;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.SnapshotResources;
import org.apache.flink.util.ResourceGuard;

/**
 * What the task thread hands to the asynchronous part of a checkpoint: everything as it was at the
 * barrier (I7). Empty when the backend has no state at all.
 */
public final class PreparedSnapshot implements SnapshotResources {

    @Nullable private final Content content;

    /**
     * The content of a snapshot that has any.
     *
     * @param metadata Flink's metadata, ready to be written
     * @param schemas all schemas of every keyed state, by its name
     * @param store the runs and the flushes under way
     * @param timers the copied timers
     * @param lease holds the backend open
     */
    record Content(
            KeyedBackendSerializationProxy<?> metadata,
            Map<String, SavedSchemas> schemas,
            StoreSnapshot store,
            TimerSnapshot timers,
            ResourceGuard.Lease lease) {}

    PreparedSnapshot(@Nullable Content content) {
        this.content = content;
    }

    boolean isEmpty() {
        return content == null;
    }

    Content content() {
        return content;
    }

    /** Gives segments and timers back, and lets the backend close. */
    @Override
    public void release() {
        if (content != null) {
            try {
                content.store().close();
                content.timers().release();
            } finally {
                content.lease().close();
            }
        }
    }
}
