/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import io.strata.flink.engine.TieredStore;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.state.InternalKeyContext;

/**
 * What all states of one keyed backend share.
 *
 * @param store holds the state
 * @param keyContext knows the current key
 * @param keySerializer writes keys
 */
record StateContext<K>(
        TieredStore store, InternalKeyContext<K> keyContext, TypeSerializer<K> keySerializer) {}
