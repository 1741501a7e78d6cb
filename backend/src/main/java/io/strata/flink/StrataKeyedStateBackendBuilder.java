/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.checkpoint.files.SegmentDirectories;
import io.strata.flink.checkpoint.restore.RestoreOperation;
import io.strata.flink.checkpoint.restore.RestoreRequest;
import io.strata.flink.checkpoint.restore.RestoreResult;
import io.strata.flink.checkpoint.snapshot.CheckpointPolicy;
import io.strata.flink.checkpoint.snapshot.LocalCopies;
import io.strata.flink.checkpoint.snapshot.SnapshotSource;
import io.strata.flink.checkpoint.snapshot.StrataSnapshotStrategy;
import io.strata.flink.checkpoint.transfer.RestoreStats;
import io.strata.flink.checkpoint.transfer.TransferPool;
import io.strata.flink.engine.StoreConfig;
import io.strata.flink.engine.StoreTuning;
import io.strata.flink.engine.TieredStore;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.pagecache.PageMemory;
import io.strata.flink.segment.SegmentOptions;
import io.strata.flink.timers.HeapTimers;
import io.strata.flink.ttl.EventTime;
import io.strata.flink.ttl.EventTimeClock;
import java.io.IOException;
import java.util.Set;
import java.util.UUID;
import javax.annotation.Nullable;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.memory.OpaqueMemoryResource;
import org.apache.flink.runtime.state.AbstractKeyedStateBackendBuilder;
import org.apache.flink.runtime.state.AbstractStateBackend;
import org.apache.flink.runtime.state.BackendBuildingException;
import org.apache.flink.runtime.state.InternalKeyContextImpl;
import org.apache.flink.runtime.state.LocalRecoveryConfig;
import org.apache.flink.runtime.state.LocalSnapshotDirectoryProvider;
import org.apache.flink.runtime.state.StateBackend.KeyedStateBackendParameters;
import org.apache.flink.runtime.state.metrics.LatencyTrackingStateConfig;
import org.apache.flink.runtime.state.metrics.SizeTrackingStateConfig;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;
import org.apache.flink.util.ResourceGuard;

/** Builds a keyed backend, restored if there is something to restore; leaks nothing on failure. */
final class StrataKeyedStateBackendBuilder<K> extends AbstractKeyedStateBackendBuilder<K> {

    private final KeyedStateBackendParameters<K> parameters;
    private final StrataSettings settings;
    private final LatencyTrackingStateConfig latencyTracking;
    private final SizeTrackingStateConfig sizeTracking;

    StrataKeyedStateBackendBuilder(
            KeyedStateBackendParameters<K> parameters,
            StrataSettings settings,
            LatencyTrackingStateConfig latencyTracking,
            SizeTrackingStateConfig sizeTracking) {
        super(
                parameters.getKvStateRegistry(),
                parameters.getKeySerializer(),
                parameters.getEnv().getUserCodeClassLoader().asClassLoader(),
                parameters.getNumberOfKeyGroups(),
                parameters.getKeyGroupRange(),
                parameters.getEnv().getExecutionConfig(),
                parameters.getTtlTimeProvider(),
                latencyTracking,
                sizeTracking,
                parameters.getStateHandles(),
                AbstractStateBackend.getCompressionDecorator(
                        parameters.getEnv().getExecutionConfig()),
                parameters.getCancelStreamRegistry());
        this.parameters = parameters;
        this.settings = settings;
        this.latencyTracking = latencyTracking;
        this.sizeTracking = sizeTracking;
    }

    @Override
    public StrataKeyedStateBackend<K> build() throws BackendBuildingException {
        BackendResources resources;
        try {
            resources = acquireResources();
        } catch (IOException e) {
            throw failed(e);
        }
        TieredStore store = null;
        try {
            store = new TieredStore(storeConfig(resources));
            return build(store, resources);
        } catch (Exception e) {
            giveBack(store, resources);
            throw failed(e);
        } catch (Error e) {
            giveBack(store, resources);
            throw e;
        }
    }

    private StrataKeyedStateBackend<K> build(TieredStore store, BackendResources resources)
            throws Exception {
        HeapTimers timers = new HeapTimers(keyGroupRange, numberOfKeyGroups);
        RestoreOperation<K> restore = restoreOperation(timers, resources);
        RestoreResult restored = restore.restore();
        RestoreStats restoreStats = restore.stats();
        EventTimeClock clock =
                settings.ttlTime() == TtlTimeCharacteristic.EVENT_TIME
                        ? new EventTimeClock(restored.eventTime())
                        : null;
        TtlTimeProvider ttlTime = clock == null ? new SteadyTtlClock(ttlTimeProvider) : clock;
        StateRegistry registry =
                new StateRegistry(
                        store::schemaIds,
                        ttlTime::currentTimestamp,
                        Set.copyOf(settings.dropStates()),
                        userCodeClassLoader);
        try {
            registry.restore(restored.states(), restored.schemas());
        } catch (RuntimeException | Error e) {
            restored.release();
            throw e;
        }
        store.restore(restored.runs());
        StrataMetrics.register(
                parameters.getMetricGroup(),
                store::stats,
                restoreStats,
                resources.process().memory());
        ResourceGuard inUse = new ResourceGuard();
        UUID backendId = UUID.randomUUID();
        SnapshotSource<K> source =
                new SnapshotSource<>(
                        store,
                        timers,
                        () -> eventTime(clock).addTo(registry.snapshot()),
                        registry::schemas,
                        keySerializerProvider.currentSchemaSerializer(),
                        keyGroupRange,
                        backendId,
                        resources.directories(),
                        inUse);
        StrataSnapshotStrategy<K> checkpoints =
                new StrataSnapshotStrategy<>(
                        source,
                        checkpointPolicy(backendId),
                        restored.files(),
                        resources.transfers());
        return new StrataKeyedStateBackend<>(
                flinkContext(ttlTime),
                new BackendParts<>(
                        store,
                        registry,
                        timers,
                        checkpoints,
                        inUse,
                        resources,
                        restoreStats,
                        clock == null ? null : new EventTimeAdvance(clock, store)));
    }

    private static EventTime eventTime(@Nullable EventTimeClock clock) {
        return clock == null ? EventTime.NONE : clock.now();
    }

    private CheckpointPolicy checkpointPolicy(UUID backendId) {
        LocalRecoveryConfig config =
                parameters.getEnv().getTaskStateManager().createLocalRecoveryConfig();
        LocalSnapshotDirectoryProvider provider =
                config.isLocalBackupEnabled()
                        ? config.getLocalStateDirectoryProvider()
                                .orElseThrow(LocalRecoveryConfig.localRecoveryNotEnabled())
                        : null;
        return new CheckpointPolicy(
                settings.incremental(),
                provider == null
                        ? null
                        : new LocalCopies(provider, LocalStorageDirectory::create, backendId));
    }

    private RestoreOperation<K> restoreOperation(HeapTimers timers, BackendResources resources) {
        RestoreRequest<K> request =
                new RestoreRequest<>(
                        restoreStateHandles,
                        keyGroupRange,
                        numberOfKeyGroups,
                        keySerializerProvider,
                        userCodeClassLoader,
                        cancelStreamRegistry,
                        resources.directories(),
                        resources.pageMemory().getResourceHandle().segmentMemory(),
                        timers,
                        new RestoreRequest.Imports(
                                segmentOptions(), settings.debug().savepointSortBytes()),
                        settings.restoreLinks(),
                        Set.copyOf(settings.dropStates()));
        return new RestoreOperation<>(request, resources.transfers());
    }

    private BackendResources acquireResources() throws IOException {
        // First, since it may refuse the settings.
        long hotBudgetBytes = settings.hotBudgetBytes(Runtime.getRuntime().maxMemory());
        Environment environment = parameters.getEnv();
        SegmentDirectories directories =
                LocalDirectories.create(
                        settings.localDirectories(),
                        environment.getTaskManagerInfo().getTmpWorkingDirectory(),
                        environment.getJobID(),
                        parameters.getOperatorIdentifier());
        OpaqueMemoryResource<PageMemory> pageMemory;
        try {
            pageMemory =
                    SlotMemory.acquire(
                            environment.getMemoryManager(), parameters.getManagedMemoryFraction());
        } catch (IOException e) {
            directories.close();
            throw e;
        }
        String taskName = environment.getTaskInfo().getTaskNameWithSubtasks();
        return new BackendResources(
                directories,
                pageMemory,
                ProcessResources.use(
                        hotBudgetBytes,
                        settings.backgroundThreads(),
                        settings.compactionBytesPerSecond()),
                new TransferPool(taskName, settings.transferThreads()));
    }

    private StoreConfig storeConfig(BackendResources resources) {
        StoreTuning standard = StoreTuning.standard();
        StrataSettings.Debug debug = settings.debug();
        return new StoreConfig(
                resources.directories().main(),
                resources.pageMemory().getResourceHandle().newCache(settings.pageBytes()),
                resources.process().heapLease(),
                resources.process().flushExecutor(),
                resources.process().compactionExecutor(),
                segmentOptions(),
                new KeyGroupSpan(keyGroupRange.getStartKeyGroup(), keyGroupRange.getEndKeyGroup()),
                new StoreTuning(
                        debug.flushEveryOperations(),
                        debug.evictAll(),
                        debug.compactEveryFlush(),
                        standard.maxRunsPerTable(),
                        debug.estimateDivisor(),
                        standard.fewSegments(),
                        standard.leastHotBytes()),
                resources.process().compactionBandwidth());
    }

    private SegmentOptions segmentOptions() {
        return new SegmentOptions(
                settings.pageBytes(), settings.filterBitsPerRecord(), settings.compression());
    }

    private FlinkContext<K> flinkContext(TtlTimeProvider ttlTime) {
        return new FlinkContext<>(
                parameters.getOperatorIdentifier(),
                kvStateRegistry,
                keySerializerProvider.currentSchemaSerializer(),
                userCodeClassLoader,
                executionConfig,
                ttlTime,
                latencyTracking,
                sizeTracking,
                // Not the parameter: Flink closes that one when the backend has been restored.
                new CloseableRegistry(),
                keyGroupCompressionDecorator,
                new InternalKeyContextImpl<>(keyGroupRange, numberOfKeyGroups));
    }

    private static void giveBack(TieredStore store, BackendResources resources) {
        try {
            if (store != null) {
                store.close();
            }
        } finally {
            resources.close();
        }
    }

    /** Wraps exactly once, so that the reason is the cause of what the task reports. */
    private BackendBuildingException failed(Exception cause) {
        return cause instanceof BackendBuildingException building
                ? building
                : new BackendBuildingException(
                        "Cannot build the keyed state backend of %s: %s"
                                .formatted(parameters.getOperatorIdentifier(), cause.getMessage()),
                        cause);
    }
}
