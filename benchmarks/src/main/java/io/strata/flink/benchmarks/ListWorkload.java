/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;

/**
 * Lists of about {@link Workload#PER_KEY} elements: reading a whole list, and appending one
 * element, where one in {@link #CLEAR_ONE_IN} appends clears the list instead, so that lists stay
 * as long.
 */
final class ListWorkload implements Workload {

    private static final int CLEAR_ONE_IN = PER_KEY + 1;

    private final BackendSession session;
    private final long lists;
    private final RandomBytes random;
    private final ListState<byte[]> state;

    ListWorkload(BackendSession session, WorkloadOptions options) throws Exception {
        this.session = session;
        this.lists = Math.max(1, options.keys() / PER_KEY);
        this.random = new RandomBytes(options.valueBytes());
        this.state =
                session.state(
                        new ListStateDescriptor<>("list", BytePrimitiveArraySerializer.INSTANCE));
    }

    /** Element after element, so that a list's elements come at different times. */
    @Override
    public void load() throws Exception {
        for (int element = 0; element < PER_KEY; element++) {
            for (long number = 0; number < lists; number++) {
                session.beginRecord(RandomBytes.key(number));
                state.add(random.next());
            }
        }
    }

    @Override
    public int read() throws Exception {
        session.beginRecord(random.nextKey(lists));
        Iterable<byte[]> elements = state.get();
        int sum = 0;
        if (elements != null) {
            for (byte[] element : elements) {
                sum += element[0];
            }
        }
        return sum;
    }

    @Override
    public int write() throws Exception {
        session.beginRecord(random.nextKey(lists));
        if (random.nextInt(CLEAR_ONE_IN) == 0) {
            state.clear();
        } else {
            state.add(random.next());
        }
        return 0;
    }
}
