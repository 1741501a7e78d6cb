/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.pagecache.PageCache;
import io.strata.flink.pagecache.PageMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.memory.MemoryManager;
import org.apache.flink.runtime.memory.OpaqueMemoryResource;
import org.apache.flink.runtime.state.BackendBuildingException;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeOffsets;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Local directories, managed memory and process-wide resources: taken, shared, given back. */
class BackendResourcesTest {

    private static final int PAGE_BYTES = 4096;

    /** Tests of other classes may have left backends behind in this process. */
    private final int usersBefore = ProcessResources.users();

    @TempDir Path local;

    @Test
    void namesOptionAndPathOfADirectoryThatCannotBeUsed() throws Exception {
        Path file = Files.writeString(local.resolve("a-file"), "in the way");
        try (TestTasks tasks = new TestTasks(new StrataStateBackend(), file)) {
            assertThatThrownBy(tasks::start)
                    .isInstanceOf(BackendBuildingException.class)
                    .cause()
                    .isInstanceOf(LocalDirectoryException.class)
                    .hasMessageContaining("state.backend.strata.local-directories")
                    .hasMessageContaining(file.toString());
        }
        assertThat(ProcessResources.users()).isEqualTo(usersBefore);
    }

    @Test
    void makesAMissingDirectoryAndLeavesNoScratchDataInIt() throws Exception {
        Path missing = local.resolve("not").resolve("there");
        try (TestTasks tasks = new TestTasks(new StrataStateBackend(), missing)) {
            TestTasks.Task task = tasks.start();
            assertThat(entries(missing)).isEqualTo(1);
            task.end();
        }
        assertThat(missing).isEmptyDirectory();
    }

    @Test
    void everyBackendUsesEveryDirectory() throws Exception {
        Path one = local.resolve("one");
        Path two = local.resolve("two");
        Path both = Path.of(one + "," + two);
        try (TestTasks tasks = new TestTasks(new StrataStateBackend(), both)) {
            tasks.start();
            tasks.start();
            assertThat(entries(one)).isEqualTo(2);
            assertThat(entries(two)).isEqualTo(2);
        }
        assertThat(one).isEmptyDirectory();
        assertThat(two).isEmptyDirectory();
    }

    @Test
    void aRefusedHotSizeTakesNothing() {
        StrataStateBackend greedy =
                new StrataStateBackend()
                        .set(
                                StrataOptions.HOT_SIZE,
                                new MemorySize(Runtime.getRuntime().maxMemory()));
        try (TestTasks tasks = new TestTasks(greedy, local)) {
            assertThatThrownBy(tasks::start).isInstanceOf(StrataConfigurationException.class);
        }
        assertThat(local).isEmptyDirectory();
        assertThat(ProcessResources.users()).isEqualTo(usersBefore);
    }

    @Test
    void aFailedRestoreGivesEverythingBack() {
        try (TestTasks tasks = new TestTasks(new StrataStateBackend(), local)) {
            KeyGroupsStateHandle foreign =
                    new KeyGroupsStateHandle(
                            new KeyGroupRangeOffsets(KeyGroupRange.of(0, TestTasks.KEY_GROUPS - 1)),
                            new ByteStreamStateHandle("x", new byte[1]));
            assertThatThrownBy(() -> tasks.start(foreign))
                    .isInstanceOf(BackendBuildingException.class);
        }
        assertThat(local).isEmptyDirectory();
        assertThat(ProcessResources.users()).isEqualTo(usersBefore);
    }

    @Test
    void disposingTwiceIsHarmless() throws Exception {
        try (TestTasks tasks = new TestTasks(new StrataStateBackend(), local)) {
            TestTasks.Task task = tasks.start();
            task.backend().close();
            task.backend().dispose();
            task.backend().dispose();
        }
        assertThat(ProcessResources.users()).isEqualTo(usersBefore);
    }

    @Test
    void sharesTheManagedMemoryOfASlotToTheByte() throws Exception {
        MemoryManager manager = MemoryManager.create(1 << 20, PAGE_BYTES);
        OpaqueMemoryResource<PageMemory> first = SlotMemory.acquire(manager, 0.5);
        OpaqueMemoryResource<PageMemory> second = SlotMemory.acquire(manager, 0.5);

        assertThat(second.getResourceHandle()).isSameAs(first.getResourceHandle());
        assertThat(first.getSize()).isEqualTo(1 << 19);
        assertThat(manager.availableMemory()).isEqualTo(1 << 19);
        PageCache cache = first.getResourceHandle().newCache(PAGE_BYTES);
        cache.close();
        first.close();
        assertThat(manager.availableMemory()).isEqualTo(1 << 19);
        second.close();
        assertThat(manager.verifyEmpty()).isTrue();
        manager.shutdown();
    }

    @Test
    void worksInASlotWithoutManagedMemory() throws Exception {
        MemoryManager manager = MemoryManager.create(0, PAGE_BYTES);
        try (OpaqueMemoryResource<PageMemory> own = SlotMemory.acquire(manager, 0)) {
            assertThat(own.getSize()).isEqualTo(SlotMemory.UNMANAGED_BYTES);
        }
        try (OpaqueMemoryResource<PageMemory> empty = SlotMemory.acquire(manager, 1.0)) {
            assertThat(empty.getSize()).isZero();
        }
        manager.shutdown();
    }

    @Test
    void allBackendsShareTheBudgetAndThoseThatAskForAsManyTheThreads() {
        ProcessResources.Use one = ProcessResources.use(1000, 2, 0);
        long alone = one.heapLease().limitBytes();
        ProcessResources.Use two = ProcessResources.use(1000, 2, 0);
        ProcessResources.Use apart = ProcessResources.use(4000, 3, 0);

        assertThat(one.flushExecutor()).isSameAs(two.flushExecutor());
        assertThat(one.flushExecutor()).isNotSameAs(apart.flushExecutor());
        assertThat(one.memory()).isSameAs(apart.memory());
        assertThat(one.heapLease().limitBytes()).isEqualTo(alone / 2);
        assertThat(apart.heapLease().limitBytes()).isEqualTo(3000);
        assertThat(apart.memory().budgetBytes()).isEqualTo(4000);

        for (ProcessResources.Use use : List.of(one, two, apart)) {
            use.heapLease().close();
            use.close();
            use.close();
        }
        assertThat(ProcessResources.users()).isEqualTo(usersBefore);
    }

    private static long entries(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.count();
        }
    }
}
