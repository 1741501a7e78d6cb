/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.RestoredRuns;
import io.strata.flink.engine.StoreConfig;
import io.strata.flink.engine.StoreVersion;
import io.strata.flink.engine.TieredStore;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.hot.HeapBudget;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.pagecache.PageMemory;
import io.strata.flink.pagecache.SlabAllocator;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.runtime.state.InternalKeyContextImpl;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/** The state objects of one backend without the backend: keys and namespaces are integers. */
final class StateHarness implements AutoCloseable {

    static final int KEY_GROUPS = 16;

    private static final int PAGE_CACHE_BYTES = 1 << 16;

    final TieredStore store;
    final StrataStates<Integer> states;
    private final InternalKeyContextImpl<Integer> keyContext =
            new InternalKeyContextImpl<>(KeyGroupRange.of(0, KEY_GROUPS - 1), KEY_GROUPS);
    private final ExecutorService background =
            Executors.newFixedThreadPool(2, task -> new Thread(task, "strata-test-background"));
    private final LocalStorageDirectory directory;
    private final PageMemory pageMemory =
            new PageMemory(PAGE_CACHE_BYTES, SlabAllocator.directBuffers());

    StateHarness(Path root, Regime regime) throws IOException {
        this(root, regime, null);
    }

    /**
     * Makes an empty backend.
     *
     * @param flushExecutor runs the flushes; null for one thread of the harness
     */
    StateHarness(Path root, Regime regime, Executor flushExecutor) throws IOException {
        directory = LocalStorageDirectory.create(root.resolve("store"));
        SegmentOptions segments = new SegmentOptions(256, 10);
        store =
                new TieredStore(
                        new StoreConfig(
                                directory,
                                pageMemory.newCache(segments.pageBytes()),
                                new HeapBudget(regime.heapBytes).lease(),
                                flushExecutor == null ? background : flushExecutor,
                                background,
                                segments,
                                new KeyGroupSpan(0, KEY_GROUPS - 1),
                                regime.tuning));
        states =
                new StrataStates<>(
                        store, keyContext, IntSerializer.INSTANCE, TtlTimeProvider.DEFAULT);
    }

    /** Takes over what a snapshot of another backend holds; before any state is asked for. */
    void restore(StoreVersion version) {
        version.segments().forEach(Segment::retain);
        KeyGroupSpan all = new KeyGroupSpan(0, KEY_GROUPS - 1);
        store.restore(List.of(new RestoredRuns(version.manifest(), version.segments(), all)));
    }

    /** Ends the record before and begins one with the given key. */
    void setCurrentKey(int key) {
        store.recordBoundary();
        keyContext.setCurrentKey(key);
        keyContext.setCurrentKeyGroupIndex(
                KeyGroupRangeAssignment.assignToKeyGroup(key, KEY_GROUPS));
    }

    /** Returns the state object as Flink's keyed backend would ask for it. */
    <SV, S extends State, IS extends S> IS state(StateDescriptor<S, SV> descriptor) {
        return state(descriptor, descriptor.getSerializer());
    }

    <SV, S extends State, IS extends S> IS state(
            StateDescriptor<S, SV> descriptor, TypeSerializer<SV> serializer) {
        return states.createOrUpdate(descriptor, metaInfo(descriptor, serializer));
    }

    static <SV> RegisteredKeyValueStateBackendMetaInfo<Integer, SV> metaInfo(
            StateDescriptor<?, SV> descriptor, TypeSerializer<SV> serializer) {
        return new RegisteredKeyValueStateBackendMetaInfo<>(
                descriptor.getType(), descriptor.getName(), IntSerializer.INSTANCE, serializer);
    }

    @Override
    public void close() throws IOException {
        store.close();
        background.shutdown();
        pageMemory.close();
        directory.close();
    }
}
