/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.engine.RestoredRuns;
import io.strata.flink.format.segment.KeyGroupSpan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.util.StateMigrationException;

/**
 * Makes runs of canonical savepoints, whichever backend took them. Runs once, on the task thread.
 *
 * <p>Keys and values are copied as bytes, sorted key group after key group; only timers become
 * objects. Memory is bounded by the limit of the request, or by the largest entry if that is more
 * (arrays may be twice as large), and the open segment of each state: a buffer of 128 KiB, and
 * index and filters, which are written last.
 */
public final class SavepointImport<K> {

    /**
     * The memory for the records that are sorted at a time, in bytes. A key group of a state is
     * rarely larger: 128 of them make 4 GiB. What is larger costs one more write and read of each
     * record, and every slot of a process may be importing at the same time.
     */
    public static final int SORT_BYTES = 32 << 20;

    private final ImportRequest<K> request;
    private final MetadataListener<K> listener;

    /** Hears what the metadata of each file says, before any of its entries is read. */
    @FunctionalInterface
    public interface MetadataListener<K> {
        /** Takes note of key serializer and states, or refuses them. */
        void metadataRead(KeyedBackendSerializationProxy<K> metadata)
                throws IOException, StateMigrationException;
    }

    public SavepointImport(ImportRequest<K> request, MetadataListener<K> listener) {
        this.request = request;
        this.listener = listener;
    }

    /**
     * Imports the key groups of the backend from all files; after a failure nothing stays open, nor
     * any local file.
     *
     * @param handles files that share no key group
     * @return the runs, with one reference to each segment, which is the caller's
     * @throws SavepointImportException if a file is missing or damaged
     * @throws StateMigrationException if the listener refuses
     */
    public RestoredRuns run(Collection<KeyGroupsSavepointStateHandle> handles) throws Exception {
        try (ImportedRuns runs = new ImportedRuns(request.target())) {
            for (KeyGroupsSavepointStateHandle handle : inOrder(handles)) {
                importFile(handle, runs);
            }
            KeyGroupRange owned = request.keyGroups();
            return runs.finish(new KeyGroupSpan(owned.getStartKeyGroup(), owned.getEndKeyGroup()));
        }
    }

    /** Cuts the handles to the key groups of the backend and sorts them by key group. */
    private List<KeyGroupsSavepointStateHandle> inOrder(
            Collection<KeyGroupsSavepointStateHandle> handles) throws IOException {
        List<KeyGroupsSavepointStateHandle> cut = new ArrayList<>();
        for (KeyGroupsSavepointStateHandle handle : handles) {
            if (handle.getIntersection(request.keyGroups())
                    instanceof KeyGroupsSavepointStateHandle owned) {
                cut.add(owned);
            }
        }
        cut.sort(Comparator.comparingInt(handle -> handle.getKeyGroupRange().getStartKeyGroup()));
        for (int i = 1; i < cut.size(); i++) {
            KeyGroupRange before = cut.get(i - 1).getKeyGroupRange();
            KeyGroupRange range = cut.get(i).getKeyGroupRange();
            if (range.getStartKeyGroup() <= before.getEndKeyGroup()) {
                throw new IOException(
                        "Two files of the savepoint hold the same key groups: %s of %s and %s of %s."
                                .formatted(
                                        before,
                                        cut.get(i - 1).getDelegateStateHandle(),
                                        range,
                                        cut.get(i).getDelegateStateHandle()));
            }
        }
        return cut;
    }

    private void importFile(KeyGroupsSavepointStateHandle handle, ImportedRuns runs)
            throws IOException, StateMigrationException {
        try (FSDataInputStream in = handle.openInputStream()) {
            request.cancellation().registerCloseable(in);
            try (SavepointFile<K> file = new SavepointFile<>(request, handle, in)) {
                listener.metadataRead(file.readMetadata());
                file.importKeyGroups(runs);
            } finally {
                request.cancellation().unregisterCloseable(in);
            }
        } catch (SavepointImportException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw new SavepointImportException("a file", handle.getDelegateStateHandle(), e);
        }
    }
}
