/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.format.key.KeyGroupPrefix;
import java.io.IOException;
import java.util.Iterator;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.heap.HeapPriorityQueueStateSnapshot;

/** The timers of one queue: key-group prefix and timer are the key, the value is empty. */
final class TimerEntries<T> implements SavedEntries {

    private static final byte[] NOTHING = {};
    private static final int INITIAL_KEY_BYTES = 128;

    private final int stateId;
    private final HeapPriorityQueueStateSnapshot<T> queue;
    private final TypeSerializer<T> serializer;
    private final byte[] prefix;
    private final DataOutputSerializer out = new DataOutputSerializer(INITIAL_KEY_BYTES);
    private int openKeyGroup = -1;
    private Iterator<T> timers;
    private byte[] key = NOTHING;

    /**
     * Creates it before the first timer.
     *
     * @param queue a copy of the queue with a serializer of its own (I9)
     */
    TimerEntries(int stateId, HeapPriorityQueueStateSnapshot<T> queue, int prefixBytes) {
        this.stateId = stateId;
        this.queue = queue;
        this.serializer = queue.getMetaInfo().getElementSerializer();
        this.prefix = new byte[prefixBytes];
    }

    @Override
    public int stateId() {
        return stateId;
    }

    @Override
    public boolean next(int keyGroup) throws IOException {
        if (keyGroup != openKeyGroup) {
            openKeyGroup = keyGroup;
            timers = queue.getIteratorForKeyGroup(keyGroup);
            KeyGroupPrefix.write(keyGroup, prefix.length, prefix, 0);
        }
        if (!timers.hasNext()) {
            return false;
        }
        out.clear();
        out.write(prefix);
        serializer.serialize(timers.next(), out);
        key = out.getCopyOfBuffer();
        return true;
    }

    @Override
    public byte[] key() {
        return key;
    }

    @Override
    public byte[] value() {
        return NOTHING;
    }
}
