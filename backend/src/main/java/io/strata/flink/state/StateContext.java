/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.TieredStore;
import io.strata.flink.schema.SchemaReaders;
import io.strata.flink.ttl.EventTimeClock;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.InternalKeyContext;

/**
 * What all states of one keyed backend share.
 *
 * @param store holds the state
 * @param keyContext knows the current key
 * @param keySerializer writes keys
 * @param eventTime the clock of state with a time to live; null when that is the machine's
 * @param schemas knows how the values of a state are read, by its name
 */
record StateContext<K>(
        TieredStore store,
        InternalKeyContext<K> keyContext,
        TypeSerializer<K> keySerializer,
        @Nullable EventTimeClock eventTime,
        Function<String, SchemaReaders> schemas) {}
