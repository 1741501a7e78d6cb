/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The policies that eviction is measured against. What is changed may leave at any time. */
final class ReferenceCaches {

    private ReferenceCaches() {}

    /** Least recently used. */
    static final class Lru implements ReplayedCache {

        private final Map<Long, Boolean> map;

        Lru(int capacity) {
            map =
                    new LinkedHashMap<>(16, 0.75f, true) {
                        @Override
                        protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
                            return size() > capacity;
                        }
                    };
        }

        @Override
        public boolean access(long key, boolean update) {
            return map.get(key) != null || map.put(key, true) != null;
        }

        @Override
        public void create(long key) {
            map.put(key, true);
        }

        @Override
        public void clear(long key) {
            map.remove(key);
        }
    }

    /** One bit a key and a hand that goes in the order of insertion. */
    static final class Clock implements ReplayedCache {

        private final Map<Long, Integer> slots = new HashMap<>();
        private final long[] keys;
        private final boolean[] used;
        private final boolean[] referenced;
        private int hand;

        Clock(int capacity) {
            keys = new long[capacity];
            used = new boolean[capacity];
            referenced = new boolean[capacity];
        }

        @Override
        public boolean access(long key, boolean update) {
            Integer slot = slots.get(key);
            if (slot == null) {
                create(key);
                return false;
            }
            referenced[slot] = true;
            return true;
        }

        @Override
        public void create(long key) {
            while (used[hand] && referenced[hand]) {
                referenced[hand] = false;
                hand = (hand + 1) % keys.length;
            }
            if (used[hand]) {
                slots.remove(keys[hand]);
            }
            keys[hand] = key;
            used[hand] = true;
            slots.put(key, hand);
            hand = (hand + 1) % keys.length;
        }

        @Override
        public void clear(long key) {
            Integer slot = slots.remove(key);
            if (slot != null) {
                used[slot] = false;
                referenced[slot] = false;
            }
        }
    }

    /** W-TinyLFU, as Caffeine has it. */
    static final class WTinyLfu implements ReplayedCache {

        private final Cache<Long, Boolean> cache;

        WTinyLfu(int capacity) {
            cache = Caffeine.newBuilder().maximumSize(capacity).executor(Runnable::run).build();
        }

        @Override
        public boolean access(long key, boolean update) {
            if (cache.getIfPresent(key) != null) {
                return true;
            }
            cache.put(key, true);
            return false;
        }

        @Override
        public void create(long key) {
            cache.put(key, true);
        }

        @Override
        public void clear(long key) {
            cache.invalidate(key);
        }
    }
}
