/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.TieredStore;
import io.strata.flink.schema.SchemaReaders;
import java.util.function.Function;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.InternalKeyContext;
import org.apache.flink.runtime.state.ttl.TtlTimeProvider;

/**
 * What all states of one keyed backend share.
 *
 * @param store holds the state
 * @param keyContext knows the current key
 * @param keySerializer writes keys
 * @param ttlClock says when values expire; never goes backwards, and any thread may ask it
 * @param schemas knows how the values of a state are read, by its name
 */
record StateContext<K>(
        TieredStore store,
        InternalKeyContext<K> keyContext,
        TypeSerializer<K> keySerializer,
        TtlTimeProvider ttlClock,
        Function<String, SchemaReaders> schemas) {}
