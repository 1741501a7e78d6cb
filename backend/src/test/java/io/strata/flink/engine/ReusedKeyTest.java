/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.engine.StoreUnderTest.Regime;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.hot.HeapBudget;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.pagecache.PageMemory;
import io.strata.flink.pagecache.SlabAllocator;
import io.strata.flink.segment.SegmentOptions;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A key object that the user fills anew for every record, as runtimes with object reuse do. */
class ReusedKeyTest {

    private static final Regime REGIME = new Regime(1 << 20, 1 << 16, StoreTuning.standard());

    /** What a read learned of a key must not be believed of the next key in the same object. */
    @Test
    void aReadOfAnAbsentKeySaysNothingOfTheNextKeyInTheSameObject(@TempDir Path root)
            throws Exception {
        ExecutorService executor =
                Executors.newSingleThreadExecutor(task -> new Thread(task, "reused-key-test"));
        try (LocalStorageDirectory directory = LocalStorageDirectory.create(root)) {
            TieredStore store = newStore(directory, executor);
            ValueTable<MutableKey, Integer, long[]> values =
                    store.valueTable("values", new MutableKeys(), new TestCodecs.Cells());
            values.put(new MutableKey(1), 0, new long[] {100});
            store.flushAll();
            store.evict(Long.MAX_VALUE);
            MutableKey reused = new MutableKey(2);
            store.recordBoundary();
            assertThat(values.get(reused, 0)).isNull();
            reused.id = 1;
            store.recordBoundary();
            values.put(reused, 0, new long[] {200});
            values.remove(reused, 0);
            assertThat(values.get(new MutableKey(1), 0)).isNull();
            store.close();
        } finally {
            executor.shutdownNow();
        }
    }

    private static TieredStore newStore(LocalStorageDirectory directory, ExecutorService executor) {
        PageMemory memory = new PageMemory(REGIME.pageBytes(), SlabAllocator.directBuffers());
        return new TieredStore(
                new StoreConfig(
                        directory,
                        memory.newCache(256),
                        new HeapBudget(REGIME.hotBytes()).lease(),
                        executor,
                        executor,
                        new SegmentOptions(256, 10),
                        new KeyGroupSpan(0, TestCodecs.KEY_GROUPS - 1),
                        REGIME.tuning()));
    }

    private static final class MutableKey {

        private long id;

        MutableKey(long id) {
            this.id = id;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof MutableKey key && id == key.id;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(id);
        }
    }

    private static final class MutableKeys implements KeyCodec<MutableKey, Integer> {

        private final TestCodecs.Keys keys = new TestCodecs.Keys();

        @Override
        public int keyGroup(MutableKey key) {
            return keys.keyGroup(key.id);
        }

        @Override
        public int keyGroupPrefixBytes() {
            return keys.keyGroupPrefixBytes();
        }

        @Override
        public void encode(MutableKey key, Integer namespace, ByteSlice out) {
            keys.encode(key.id, namespace, out);
        }

        @Override
        public MutableKey decodeKey(ByteSlice composite) {
            return new MutableKey(keys.decodeKey(composite));
        }

        @Override
        public Integer decodeNamespace(ByteSlice composite) {
            return keys.decodeNamespace(composite);
        }

        @Override
        public MutableKeys duplicate() {
            return new MutableKeys();
        }
    }
}
