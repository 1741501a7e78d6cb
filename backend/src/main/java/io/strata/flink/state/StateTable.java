/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.HotWalk;
import io.strata.flink.engine.TieredTable;
import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * One registered state's table, seen without its kind: whole values by (key, namespace). What a hot
 * path calls is on the engine's own tables.
 *
 * @param <K> the key
 * @param <N> the namespace
 * @param <SV> what Flink's state serializer is for: the value, accumulator, list or map
 */
abstract class StateTable<K, N, SV> {

    private StateSerializers<K, N, SV> serializers;

    StateTable(StateSerializers<K, N, SV> serializers) {
        this.serializers = serializers;
    }

    /** Goes on with serializers that Flink found compatible with the ones until now. */
    final void update(StateSerializers<K, N, SV> updated) {
        if (!serializers.same(updated)) {
            serializers = updated;
            updateCodecs(updated);
        }
    }

    abstract void updateCodecs(StateSerializers<K, N, SV> updated);

    /** Returns the state, null when there is none. A map is a live view; a list is not. */
    abstract SV read(K key, N namespace) throws IOException;

    /** Tells whether there is any state. */
    boolean contains(K key, N namespace) throws IOException {
        return read(key, namespace) != null;
    }

    /**
     * Returns the state for a query, null when there is none.
     *
     * @param own serializers that belong to the calling thread
     */
    SV peek(K key, N namespace, StateSerializers<K, N, SV> own) throws IOException {
        return read(key, namespace);
    }

    /** Replaces the state. */
    abstract void write(K key, N namespace, SV value) throws IOException;

    /**
     * Returns a walk over what is hot.
     *
     * @param mostSlots entries of one map to show at a time
     */
    abstract HotWalk<K, N, SV> hotWalk(int mostSlots);

    /**
     * Takes away what has expired of something that a {@link #hotWalk} showed.
     *
     * @param left what has not; null when all has
     */
    void reduce(K key, N namespace, SV shown, @Nullable SV left) throws IOException {
        write(key, namespace, left);
    }

    /** Tells whether values expire. */
    final boolean hasTimeToLive() {
        return serializers.time().timeToLive() != null;
    }

    /** Returns the table of the engine. */
    abstract TieredTable<K, N> tiered();

    /** Returns the state as queries get it: in the bytes that all of Flink's backends give. */
    abstract byte[] serialize(SV value, TypeSerializer<SV> serializer) throws IOException;
}
