/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.Fault;
import io.strata.flink.io.Fault.Kind;
import io.strata.flink.io.Fault.Operation;
import io.strata.flink.io.FaultInjectingDirectory;
import io.strata.flink.io.LocalStorageDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** References, handles, interrupts and what lookups cost. */
class SegmentTest {

    private static final String NAME = SmallSegment.ID.fileName();

    @TempDir Path temp;
    private FaultInjectingDirectory dir;

    @BeforeEach
    void write() throws IOException {
        dir = new FaultInjectingDirectory(LocalStorageDirectory.create(temp.resolve("dir")));
        SmallSegment.write(dir);
    }

    private Segment open() throws IOException {
        return Segment.open(dir, SmallSegment.ID, KeyGroupSpan.ALL);
    }

    @Test
    void theLastReleaseClosesAndDeletesTheFile() throws IOException {
        Segment segment = open();
        segment.retain();
        assertThat(segment.references()).isEqualTo(2);
        segment.release();
        assertThat(dir.exists(NAME)).isTrue();
        assertThat(dir.openHandles()).hasSize(1);
        segment.release();
        assertThat(dir.exists(NAME)).isFalse();
        dir.requireNoOpenHandles();
    }

    @Test
    void refusesToBeReleasedOrRetainedAfterTheLastRelease() throws IOException {
        Segment segment = open();
        segment.release();
        assertThatThrownBy(segment::release)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(SmallSegment.ID.toString());
        assertThatThrownBy(segment::retain).isInstanceOf(IllegalStateException.class);
        assertThat(segment.references()).isZero();
    }

    @Test
    void aForgottenReleaseIsFound() throws IOException {
        Segment segment = open();
        assertThatThrownBy(dir::requireNoOpenHandles).hasMessageContaining(NAME);
        segment.release();
        dir.requireNoOpenHandles();
    }

    @Test
    void manyThreadsMayRetainAndRelease() throws Exception {
        Segment segment = open();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch start = new CountDownLatch(1);
        Thread[] threads = new Thread[4];
        for (int i = 0; i < threads.length; i++) {
            segment.retain();
            threads[i] = new Thread(() -> retainAndRelease(segment, start, failure), "user-" + i);
            threads[i].start();
        }
        segment.release();
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failure.get()).isNull();
        assertThat(segment.references()).isZero();
        assertThat(dir.exists(NAME)).isFalse();
        dir.requireNoOpenHandles();
    }

    private static void retainAndRelease(
            Segment segment, CountDownLatch start, AtomicReference<Throwable> failure) {
        try {
            start.await();
            for (int i = 0; i < 10_000; i++) {
                segment.retain();
                segment.release();
            }
            segment.release();
        } catch (Throwable e) {
            failure.set(e);
        }
    }

    @Test
    void mayBeReleasedAfterItsDirectoryIsGone() throws IOException {
        Segment segment = open();
        dir.close();
        segment.release();
        dir.requireNoOpenHandles();
    }

    @Test
    void namesAFileThatCannotBeDeleted() throws IOException {
        Segment segment = open();
        dir.inject(Fault.always(Kind.FAIL, Operation.DELETE));
        assertThatThrownBy(segment::release)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(NAME);
        dir.requireNoOpenHandles();
    }

    @Test
    void releasesAllThoughOneCannotBeDeleted() throws IOException {
        Segment first = open();
        SegmentId other = new SegmentId(5, 6);
        try (SegmentWriter writer = SegmentWriter.create(dir, other, SmallSegment.OPTIONS)) {
            writer.finish();
        }
        Segment second = Segment.open(dir, other, KeyGroupSpan.ALL);
        dir.inject(Fault.once(Kind.FAIL, Operation.DELETE, 0));
        assertThatThrownBy(() -> Segment.releaseAll(Arrays.asList(first, null, second)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(NAME);
        assertThat(second.references()).isZero();
        assertThat(dir.list()).containsExactly(NAME);
        dir.requireNoOpenHandles();
    }

    @Test
    void closesTheFileWhenOpeningFails() throws IOException {
        Segment opened = open();
        int reads = dir.operations(Operation.READ);
        int handles = dir.openHandles().size();
        for (int i = 0; i < reads; i++) {
            dir.inject(Fault.once(Kind.FAIL, Operation.READ, i));
            assertThatThrownBy(this::open)
                    .as("read %d of %d fails", i, reads)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(NAME);
            assertThat(dir.openHandles()).hasSize(handles);
            dir.heal();
        }
        assertThat(reads).as("header, trailer, footer, index and filter of two runs").isEqualTo(7);
        opened.release();
    }

    @Test
    void serialsAreUnique() throws IOException {
        Segment first = open();
        Segment second = open();
        assertThat(first.serial()).isNotEqualTo(second.serial());
        second.retain();
        dir.linkOut(NAME, temp.resolve("kept"));
        first.release();
        dir.linkIn(temp.resolve("kept"), NAME);
        second.release();
        second.release();
        dir.requireNoOpenHandles();
    }

    @Test
    void findsAndScansThoughInterrupted() throws IOException {
        Segment segment = open();
        Run run = segment.runs().get(0);
        TestRecord record = SmallSegment.counts().get(1);
        FoundRecord found = new FoundRecord();
        Thread.currentThread().interrupt();
        assertThat(find(run, record, new DirectPageSource(), found)).isTrue();
        assertThat(found.value().toArray()).isEqualTo(record.value());
        assertThat(TestRecord.drain(run.scan(KeyGroupSpan.ALL, new StreamingPageSource())))
                .isEqualTo(SmallSegment.counts());
        segment.verifyData();
        assertThat(Thread.interrupted()).as("interrupt flag").isTrue();
        segment.release();
    }

    @Test
    void aFailedReadIsThrownAndTheNextOneWorks() throws IOException {
        Segment segment = open();
        Run run = segment.runs().get(0);
        TestRecord record = SmallSegment.counts().get(0);
        PageSource pages = new StreamingPageSource();
        FoundRecord found = new FoundRecord();
        dir.inject(Fault.once(Kind.FAIL, Operation.READ, 0));
        dir.inject(Fault.once(Kind.FLIP, Operation.READ, 0));
        assertThatThrownBy(() -> find(run, record, pages, found)).hasMessageContaining(NAME);
        assertThatThrownBy(() -> find(run, record, new DirectPageSource(), found))
                .hasMessageContaining(NAME);
        assertThat(find(run, record, pages, found)).isTrue();
        segment.release();
    }

    @Test
    void lookupsAllocateNothing() throws IOException {
        Segment segment = open();
        Run run = segment.runs().get(0);
        ByteSlice key = new ByteSlice(SmallSegment.counts().get(1).key());
        ByteSlice absent = new ByteSlice(new byte[] {3, 'X'});
        long orderKey = SmallSegment.counts().get(1).orderKey();
        PageSource pages = new StreamingPageSource();
        FoundRecord found = new FoundRecord();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int i = 0; i < 20_000; i++) {
            if (i == 10_000) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            if (!run.find(3, orderKey, key, pages, found)
                    || found.value().length != 1
                    || run.find(3, orderKey, absent, pages, found)
                    || run.find(3, orderKey + 1, key, pages, found)) {
                throw new AssertionError("lookup " + i);
            }
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(allocated).as("bytes allocated by 30,000 lookups").isLessThan(30_000);
        segment.release();
    }

    private static boolean find(Run run, TestRecord record, PageSource pages, FoundRecord found)
            throws IOException {
        ByteSlice key = new ByteSlice(record.key());
        return run.find(record.keyGroup(), record.orderKey(), key, pages, found);
    }
}
