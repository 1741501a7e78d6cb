/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;

/** Maps of {@link Workload#PER_KEY} entries: get and put of one entry, uniformly random. */
final class MapWorkload implements Workload {

    private final BackendSession session;
    private final long maps;
    private final RandomBytes random;
    private final MapState<Integer, byte[]> state;

    MapWorkload(BackendSession session, WorkloadOptions options) throws Exception {
        this.session = session;
        this.maps = Math.max(1, options.keys() / PER_KEY);
        this.random = new RandomBytes(options.valueBytes());
        this.state =
                session.state(
                        new MapStateDescriptor<>(
                                "map",
                                IntSerializer.INSTANCE,
                                BytePrimitiveArraySerializer.INSTANCE));
    }

    /** Entry after entry, so that a map's entries come at different times. */
    @Override
    public void load() throws Exception {
        for (int userKey = 0; userKey < PER_KEY; userKey++) {
            for (long number = 0; number < maps; number++) {
                session.beginRecord(RandomBytes.key(number));
                state.put(userKey, random.next());
            }
        }
    }

    @Override
    public int read() throws Exception {
        session.beginRecord(random.nextKey(maps));
        return state.get(random.nextInt(PER_KEY))[0];
    }

    @Override
    public int write() throws Exception {
        session.beginRecord(random.nextKey(maps));
        state.put(random.nextInt(PER_KEY), random.next());
        return 0;
    }
}
