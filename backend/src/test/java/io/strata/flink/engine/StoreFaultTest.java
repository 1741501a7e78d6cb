/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.hot.HeapBudget;
import io.strata.flink.io.Fault;
import io.strata.flink.io.Fault.Kind;
import io.strata.flink.io.Fault.Operation;
import io.strata.flink.io.FaultInjectingDirectory;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.pagecache.PageMemory;
import io.strata.flink.pagecache.SlabAllocator;
import io.strata.flink.segment.SegmentOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One failing file operation at every point of flush, compaction, read and close. */
class StoreFaultTest {

    private static final ExecutorService EXECUTOR =
            Executors.newFixedThreadPool(2, task -> new Thread(task, "store-fault-test"));
    private static final int MAX_POINTS = 400;
    private static final int STEP = 7;

    @TempDir Path root;

    @AfterAll
    static void stop() {
        EXECUTOR.shutdownNow();
    }

    @ParameterizedTest
    @CsvSource({
        "FAIL, CREATE", "FAIL, WRITE", "TEAR, WRITE", "SHORTEN, WRITE", "FLIP, WRITE",
        "FILL, WRITE", "FAIL, CLOSE_OUTPUT", "FAIL, OPEN", "FAIL, READ", "SHORTEN, READ",
        "FLIP, READ"
    })
    void everyPointFailsOnce(Kind kind, Operation operation) throws Exception {
        int failed = 0;
        for (int point = 0; point < MAX_POINTS; point += STEP) {
            try (LocalStorageDirectory local =
                    LocalStorageDirectory.create(root.resolve("d" + point))) {
                FaultInjectingDirectory directory = new FaultInjectingDirectory(local);
                directory.inject(Fault.once(kind, operation, point));
                Throwable failure = runUntilFailure(directory);
                if (directory.faults() == 0) {
                    break; // the script has no such point any more
                }
                if (failure != null) {
                    failed++;
                    assertThat(messages(failure)).as("names the file").contains(".seg");
                }
                directory.requireNoOpenHandles();
                assertThat(directory.list()).as("files left after point %d", point).isEmpty();
            }
        }
        assertThat(failed).as("points at which the fault was noticed").isPositive();
    }

    /** Returns the failure, or null when every answer was right in spite of the fault. */
    private static Throwable runUntilFailure(FaultInjectingDirectory directory) {
        PageMemory memory = new PageMemory(1 << 12, SlabAllocator.directBuffers());
        TieredStore store =
                new TieredStore(
                        new StoreConfig(
                                directory,
                                memory.newCache(256),
                                new HeapBudget(1 << 20).lease(),
                                EXECUTOR,
                                EXECUTOR,
                                new SegmentOptions(256, 10),
                                new KeyGroupSpan(0, TestCodecs.KEY_GROUPS - 1),
                                new StoreTuning(40, true, true, 8)));
        try {
            script(store);
            return null;
        } catch (IOException | RuntimeException e) {
            return e;
        } finally {
            store.close();
        }
    }

    private static void script(TieredStore store) throws IOException {
        ValueTable<Long, Integer, long[]> values =
                store.valueTable("values", new TestCodecs.Keys(), new TestCodecs.Cells());
        Map<Long, Long> model = new HashMap<>();
        for (long i = 0; i < 400; i++) {
            long key = i % 60;
            store.recordBoundary();
            long[] value = values.get(key, 0);
            assertThat(value == null ? null : value[0]).isEqualTo(model.get(key));
            values.put(key, 0, new long[] {i});
            model.put(key, i);
        }
    }

    private static String messages(Throwable failure) {
        StringBuilder all = new StringBuilder();
        for (Throwable t = failure; t != null; t = t.getCause()) {
            all.append(t.getMessage()).append('\n');
        }
        return all.toString();
    }
}
