/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;

/** One value a key: get, and get followed by update, of uniformly random keys. */
final class ValueWorkload implements Workload {

    private final BackendSession session;
    private final long keys;
    private final RandomBytes random;
    private final ValueState<byte[]> state;

    ValueWorkload(BackendSession session, WorkloadOptions options) throws Exception {
        this.session = session;
        this.keys = options.keys();
        this.random = new RandomBytes(options.valueBytes());
        this.state =
                session.state(
                        new ValueStateDescriptor<>("value", BytePrimitiveArraySerializer.INSTANCE));
    }

    @Override
    public void load() throws Exception {
        for (long number = 0; number < keys; number++) {
            session.beginRecord(RandomBytes.key(number));
            state.update(random.next());
        }
    }

    @Override
    public int read() throws Exception {
        session.beginRecord(random.nextKey(keys));
        return state.value()[0];
    }

    @Override
    public int write() throws Exception {
        session.beginRecord(random.nextKey(keys));
        int first = state.value()[0];
        state.update(random.next());
        return first;
    }
}
