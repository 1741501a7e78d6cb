/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.key.KeyGroupPrefix;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.state.KeyGroupsSavepointStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.SnappyStreamCompressionDecorator;
import org.apache.flink.runtime.state.StreamCompressionDecorator;
import org.apache.flink.runtime.state.UncompressedStreamCompressionDecorator;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;

/** One open file of a canonical savepoint, read once from its beginning. Task thread only. */
final class SavepointFile<K> implements Closeable {

    /** Where a key group begins that has no entries and so is not in the file. */
    private static final long NO_OFFSET = 0;

    private final ImportRequest<K> request;
    private final KeyGroupsSavepointStateHandle handle;
    private final SavepointStream stream;
    private final String name;
    private final EntryReader entries;
    private final KeyGroupSorter sorter;
    private final DataInputDeserializer timer = new DataInputDeserializer();
    private final int prefixBytes;
    private KeyedBackendSerializationProxy<K> metadata;

    /**
     * Takes over an open file.
     *
     * @param handle the file, cut to the key groups that are wanted
     */
    SavepointFile(
            ImportRequest<K> request, KeyGroupsSavepointStateHandle handle, FSDataInputStream in)
            throws IOException {
        this.request = request;
        this.handle = handle;
        this.stream = new SavepointStream(in);
        this.name = String.valueOf(handle.getDelegateStateHandle());
        this.prefixBytes = KeyGroupPrefix.lengthBytes(request.keyGroupsInJob());
        this.entries = new EntryReader(name, prefixBytes);
        ImportRequest.Target target = request.target();
        this.sorter =
                new KeyGroupSorter(
                        name,
                        target.sortBytes(),
                        new SpilledRuns(
                                target.directory(),
                                target.options(),
                                request.cancellation()::isClosed));
    }

    /** Reads key serializer and states; to be called first. */
    KeyedBackendSerializationProxy<K> readMetadata() throws IOException {
        metadata = new KeyedBackendSerializationProxy<>(request.userClassLoader());
        try {
            metadata.read(new DataInputViewStreamWrapper(stream));
        } catch (IOException | RuntimeException e) {
            throw new SavepointImportException("the metadata", name, e);
        } catch (OutOfMemoryError e) {
            // Flink's readers make a table as large as a damaged length says: one array that cannot
            // be had, and nothing else, so the process has lost nothing.
            throw new SavepointImportException("the metadata", name, new IOException(e));
        }
        return metadata;
    }

    /** Imports all wanted key groups; whoever heard of the metadata is ready for the entries. */
    void importKeyGroups(ImportedRuns runs) throws IOException {
        TypeSerializer<K> keySerializer = request.keySerializer().previousSchemaSerializer();
        List<ImportedState> states = new ArrayList<>();
        for (StateMetaInfoSnapshot state : metadata.getStateMetaInfoSnapshots()) {
            states.add(ImportedState.of(state, keySerializer, prefixBytes));
        }
        StreamCompressionDecorator compression =
                metadata.isUsingKeyGroupCompression()
                        ? SnappyStreamCompressionDecorator.INSTANCE
                        : UncompressedStreamCompressionDecorator.INSTANCE;
        for (Tuple2<Integer, Long> keyGroup : handle.getGroupRangeOffsets()) {
            if (keyGroup.f1 == NO_OFFSET) {
                continue;
            }
            try {
                stream.seek(keyGroup.f1);
                entries.open(compression.decorateWithCompression(stream), keyGroup.f0);
                importKeyGroup(keyGroup.f0, states, runs);
            } catch (IOException | RuntimeException e) {
                throw new SavepointImportException("key group " + keyGroup.f0, name, e);
            }
        }
    }

    private void importKeyGroup(int keyGroup, List<ImportedState> states, ImportedRuns runs)
            throws IOException {
        boolean more = entries.next();
        while (more) {
            if (entries.stateId() >= states.size()) {
                throw new CorruptFormatException(
                        name,
                        "state id in key group " + keyGroup,
                        "less than " + states.size() + ", as many states as there are",
                        entries.stateId());
            }
            ImportedState state = states.get(entries.stateId());
            more = state.isTimers() ? importTimers(state) : importRecords(keyGroup, state, runs);
        }
    }

    /** Returns false at the end of the key group. */
    private boolean importRecords(int keyGroup, ImportedState state, ImportedRuns runs)
            throws IOException {
        int stateId = entries.stateId();
        sorter.begin(state.spec(), state.timestamps(), keyGroup);
        boolean isDropped = request.dropped().contains(state.name());
        boolean more;
        do {
            int keptBytes = isDropped ? ImportedState.DROPPED : state.keptBytes(entries, name);
            if (keptBytes != ImportedState.DROPPED) {
                sorter.add(state.order().orderKey(entries.key()), entries, keptBytes);
            }
            more = entries.next();
        } while (more && entries.stateId() == stateId);
        if (!sorter.isEmpty()) {
            sorter.finish(runs.of(state.spec()));
        }
        return more;
    }

    /** Returns false at the end of the key group. */
    private boolean importTimers(ImportedState state) throws IOException {
        int stateId = entries.stateId();
        boolean more;
        do {
            timer.setBuffer(entries.key().bytes, prefixBytes, entries.key().length - prefixBytes);
            request.timers().restoreTimer(state.name(), timer);
            if (timer.available() > 0) {
                throw new CorruptFormatException(
                        name,
                        "timer of queue '" + state.name() + "'",
                        "no bytes behind it",
                        timer.available());
            }
            more = entries.next();
        } while (more && entries.stateId() == stateId);
        return more;
    }

    /** Deletes what the sorter may have spilled; the stream is its opener's. */
    @Override
    public void close() {
        sorter.close();
    }
}
