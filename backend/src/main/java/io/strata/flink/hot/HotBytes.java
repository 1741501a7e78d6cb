/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The heap bytes of all hot tables of one store. Written by the task thread, read by any thread
 * (metric reporters see a recent value).
 */
public final class HotBytes {

    private static final VarHandle BYTES = handle("bytes");
    private static final VarHandle DIRTY = handle("dirtyBytes");

    private long bytes;
    private long dirtyBytes;

    /**
     * Everything the tables hold: entries in the tables, frozen entries that only a flush still
     * holds, dirty lists and the hash arrays.
     */
    public long bytes() {
        return (long) BYTES.getOpaque(this);
    }

    /** The part of {@link #bytes()} that no eviction can free before a flush is installed. */
    public long dirtyBytes() {
        return (long) DIRTY.getOpaque(this);
    }

    void add(long delta) {
        BYTES.setOpaque(this, bytes + delta);
    }

    void addDirty(long delta) {
        DIRTY.setOpaque(this, dirtyBytes + delta);
    }

    private static VarHandle handle(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(HotBytes.class, field, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
