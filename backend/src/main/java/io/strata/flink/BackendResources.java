/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.checkpoint.files.SegmentDirectories;
import io.strata.flink.checkpoint.transfer.TransferPool;
import io.strata.flink.pagecache.PageMemory;
import java.io.Closeable;
import org.apache.flink.runtime.memory.OpaqueMemoryResource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one keyed backend holds besides its store, and gives back when it is disposed of.
 *
 * @param directories where its segments lie
 * @param pageMemory the page memory of its slot
 * @param process heap lease and background threads
 * @param transfers moves segments to and from checkpoints
 */
record BackendResources(
        SegmentDirectories directories,
        OpaqueMemoryResource<PageMemory> pageMemory,
        ProcessResources.Use process,
        TransferPool transfers)
        implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(BackendResources.class);

    /** Gives everything back, after the store was closed; what fails is logged. */
    @Override
    public void close() {
        closeLogged(transfers);
        closeLogged(process);
        closeLogged(pageMemory);
        closeLogged(directories);
    }

    private static void closeLogged(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception e) {
            LOG.warn("Could not close {} of a keyed backend.", resource, e);
        }
    }
}
