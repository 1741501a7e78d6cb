/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.snapshot;

import io.strata.flink.checkpoint.files.SegmentDirectories;
import io.strata.flink.engine.TieredStore;
import io.strata.flink.schema.SavedSchemas;
import io.strata.flink.timers.HeapTimers;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.util.ResourceGuard;

/**
 * What checkpoints of one backend are made from.
 *
 * @param store the keyed state
 * @param timers the timers
 * @param stateMetaInfo gives Flink's meta info of every keyed state, registered or only restored
 * @param schemas gives the schemas of every keyed state, by its name
 * @param keySerializer the serializer of the keys
 * @param keyGroups the key groups of the backend
 * @param backendId the identity that handles carry
 * @param directories where segments lie
 * @param inUse holds the store open while a checkpoint reads its segments
 */
public record SnapshotSource<K>(
        TieredStore store,
        HeapTimers timers,
        Supplier<List<StateMetaInfoSnapshot>> stateMetaInfo,
        Supplier<Map<String, SavedSchemas>> schemas,
        TypeSerializer<K> keySerializer,
        KeyGroupRange keyGroups,
        UUID backendId,
        SegmentDirectories directories,
        ResourceGuard inUse) {}
