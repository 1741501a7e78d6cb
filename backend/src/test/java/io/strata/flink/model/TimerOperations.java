/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyGroupedInternalPriorityQueue;
import org.apache.flink.streaming.api.operators.TimerHeapInternalTimer;
import org.apache.flink.util.CloseableIterator;

/** Operations on the queue of timers, as the timer service uses it. */
final class TimerOperations {

    private TimerOperations() {}

    /** Timers of different keys have different times, so that the order of polls is defined. */
    private static TimerHeapInternalTimer<Object, Object> timer(KeyedJob job, int key, int time) {
        return new TimerHeapInternalTimer<>(
                time * 1000L + key,
                job.scenario().keyType().key(key),
                NamespaceType.WINDOW.namespace(key % 3));
    }

    private static KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Object, Object>> queue(
            KeyedJob job, int key) {
        return job.instanceOf(job.scenario().keyType().key(key)).timers();
    }

    record TimerAdd(int key, int time) implements Operation {
        @Override
        public String apply(KeyedJob job) {
            return String.valueOf(queue(job, key).add(timer(job, key, time)));
        }
    }

    record TimerAddAll(int key, int time, int count) implements Operation {
        @Override
        public String apply(KeyedJob job) {
            List<TimerHeapInternalTimer<Object, Object>> timers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                timers.add(timer(job, key, time + i));
            }
            queue(job, key).addAll(timers);
            return String.valueOf(queue(job, key).size());
        }
    }

    record TimerRemove(int key, int time) implements Operation {
        @Override
        public String apply(KeyedJob job) {
            return String.valueOf(queue(job, key).remove(timer(job, key, time)));
        }
    }

    /** Fires the timers of the key's instance up to a time. */
    record TimerPoll(int key, int time) implements Operation {
        @Override
        public String apply(KeyedJob job) {
            KeyGroupedInternalPriorityQueue<TimerHeapInternalTimer<Object, Object>> queue =
                    queue(job, key);
            List<String> fired = new ArrayList<>();
            while (queue.peek() != null && queue.peek().getTimestamp() <= time * 1000L) {
                fired.add(queue.poll().toString());
            }
            return fired + " " + queue.size() + " " + queue.isEmpty();
        }
    }

    record TimerIterate(int key) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            List<String> found = new ArrayList<>();
            try (CloseableIterator<TimerHeapInternalTimer<Object, Object>> timers =
                    queue(job, key).iterator()) {
                timers.forEachRemaining(timer -> found.add(timer.toString()));
            }
            Collections.sort(found);
            return found.toString();
        }
    }

    record TimersOfKeyGroup(int key) implements Operation {
        @Override
        public String apply(KeyedJob job) {
            int keyGroup =
                    KeyGroupRangeAssignment.assignToKeyGroup(
                            job.scenario().keyType().key(key), job.scenario().maxParallelism());
            List<String> found = new ArrayList<>();
            queue(job, key).getSubsetForKeyGroup(keyGroup).forEach(t -> found.add(t.toString()));
            Collections.sort(found);
            return found.toString();
        }
    }
}
