/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.compaction.ModelRuns.Content;
import io.strata.flink.compaction.ModelRuns.Key;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.io.Fault;
import io.strata.flink.io.FaultInjectingDirectory;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentMemory;
import io.strata.flink.segment.SegmentWriter;
import io.strata.flink.segment.StreamingPageSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A compaction that fails, is cancelled or has nothing to write leaves no trace. */
class CompactorTest {

    private static final long SEED = Long.getLong("strata.seed", 11);

    @TempDir Path temp;

    private FaultInjectingDirectory dir;
    private ModelRuns runs;
    private Compactor compactor;

    @BeforeEach
    void writeRuns() throws IOException {
        dir = new FaultInjectingDirectory(LocalStorageDirectory.create(temp.resolve("segments")));
        runs = new ModelRuns(dir, new Random(SEED), 4, 1_500);
        compactor = new Compactor(dir, runs.options(), ModelRuns.DELIMITER, SegmentMemory.HEAP);
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        runs.release();
        assertThat(dir.list()).isEmpty();
        dir.requireNoOpenHandles();
        dir.close();
    }

    /**
     * Lets each operation of a compaction fail in turn, until one compaction meets no fault. A bit
     * flipped in what was read ahead and never used may go unnoticed, and must then do no harm.
     */
    @ParameterizedTest
    @CsvSource({
        "FAIL, CREATE",
        "FILL, CREATE",
        "FAIL, WRITE",
        "TEAR, WRITE",
        "FILL, WRITE",
        "FAIL, CLOSE_OUTPUT",
        "FAIL, OPEN",
        "FAIL, READ",
        "SHORTEN, READ",
        "FLIP, READ"
    })
    void everyFailureIsCleanedUp(Fault.Kind kind, Fault.Operation operation) throws IOException {
        int failures = 0;
        boolean hit = true;
        for (int skip = 0; hit; skip++) {
            int before = dir.faults();
            dir.inject(Fault.once(kind, operation, skip));
            failures += compactionFails() ? 1 : 0;
            hit = dir.faults() > before;
            requireOnlyInputs();
        }
        assertThat(failures).isPositive().isLessThanOrEqualTo(dir.faults());
        if (kind != Fault.Kind.FLIP) {
            assertThat(failures).isEqualTo(dir.faults());
        }
    }

    private boolean compactionFails() throws IOException {
        Segment merged;
        try {
            merged = compact(() -> false).orElseThrow();
        } catch (IOException e) {
            return true;
        } finally {
            dir.heal();
        }
        checkContent(merged);
        merged.release();
        return false;
    }

    /** What a write spoils without a word is named when it is read, never taken for data. */
    @ParameterizedTest
    @CsvSource({"FLIP", "SHORTEN"})
    void silentDamageIsFound(Fault.Kind kind) throws IOException {
        int found = 0;
        boolean hit = true;
        for (int skip = 0; hit; skip++) {
            int before = dir.faults();
            dir.inject(Fault.once(kind, Fault.Operation.WRITE, skip));
            Segment merged = null;
            try {
                merged = compact(() -> false).orElseThrow();
                merged.verifyData();
                checkContent(merged);
            } catch (IOException e) {
                found++;
            }
            if (merged != null) {
                merged.release();
            }
            hit = dir.faults() > before;
            dir.heal();
            requireOnlyInputs();
        }
        assertThat(found).isPositive().isEqualTo(dir.faults());
    }

    @Test
    void cancelledAtAnyTime() throws IOException {
        int checks = 0;
        boolean cancelled = true;
        while (cancelled) {
            AtomicInteger left = new AtomicInteger(checks);
            try {
                compact(() -> left.getAndDecrement() == 0).orElseThrow().release();
                cancelled = false;
            } catch (CancellationException e) {
                checks++;
            }
            requireOnlyInputs();
        }
        assertThat(checks).isGreaterThan(1);
    }

    @Test
    void nothingLeftAtTheBottomIsNoSegment() throws IOException {
        RunView deletes = writeOne(RecordKind.DELETE, ModelRuns.SPEC);
        assertThat(compact(List.of(deletes), true).segment()).isEmpty();
        assertThat(dir.list()).hasSize(runs.newestFirst.size() + 1);
        Segment kept = compact(List.of(deletes), false).segment().orElseThrow();
        assertThat(kept.runs().get(0).tombstones()).isEqualTo(1);
        kept.release();
        deletes.run().segment().release();
    }

    @Test
    void runsOfSchemasThatNobodyConvertsDoNotMerge() throws IOException {
        RunView other = writeOne(RecordKind.PUT, new RunSpec("state", false, 43));
        assertThatThrownBy(() -> compact(List.of(other, runs.views().get(0)), true))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("2b")
                .hasMessageContaining("2a");
        other.run().segment().release();
    }

    /** Merges of several states share a segment; one that leaves nothing leaves no run. */
    @Test
    void severalMergesMakeOneSegment() throws IOException {
        RunView deletes = writeOne(RecordKind.DELETE, new RunSpec("gone", false, 42));
        RunView other = writeOne(RecordKind.PUT, new RunSpec("other", false, 42));
        MergedRuns merged =
                compactor.compact(
                        List.of(
                                new Merge(List.of(deletes), true, ModelRuns.RULES),
                                new Merge(runs.views(), true, ModelRuns.RULES),
                                new Merge(List.of(other), false, ModelRuns.RULES)),
                        runs.newId(),
                        () -> false);
        Segment segment = merged.segment().orElseThrow();
        assertThat(segment.references()).isEqualTo(1);
        assertThat(merged.runs().get(0)).isEmpty();
        assertThat(merged.runs().get(1)).contains(segment.runs().get(0));
        assertThat(merged.runs().get(2).orElseThrow().spec().stateName()).isEqualTo("other");
        checkContent(segment);
        segment.release();
        deletes.run().segment().release();
        other.run().segment().release();
    }

    /** All that is read and written is told, so that it can be held to a bandwidth. */
    @Test
    void theWatchHearsOfAllBytes() throws IOException {
        long read = runs.views().stream().mapToLong(RunView::dataBytes).sum();
        long[] passed = {0};
        MergeWatch watch =
                new MergeWatch() {
                    @Override
                    public boolean cancelled() {
                        return false;
                    }

                    @Override
                    public void passed(long bytes) {
                        passed[0] += bytes;
                    }
                };
        Segment merged =
                compactor
                        .compact(
                                List.of(new Merge(runs.views(), true, ModelRuns.RULES)),
                                runs.newId(),
                                watch)
                        .segment()
                        .orElseThrow();
        long written = merged.runs().get(0).dataBytes();
        assertThat(passed[0]).isBetween((read + written) * 8 / 10, (read + written) * 13 / 10);
        merged.release();
    }

    private MergedRuns compact(List<RunView> newestFirst, boolean bottom) throws IOException {
        return compactor.compact(
                List.of(new Merge(newestFirst, bottom, ModelRuns.RULES)),
                runs.newId(),
                () -> false);
    }

    private Optional<Segment> compact(MergeWatch cancelled) throws IOException {
        return compactor
                .compact(
                        List.of(new Merge(runs.views(), true, ModelRuns.RULES)),
                        runs.newId(),
                        cancelled)
                .segment();
    }

    private RunView writeOne(RecordKind kind, RunSpec spec) throws IOException {
        var id = runs.newId();
        try (SegmentWriter writer = SegmentWriter.create(dir, id, runs.options())) {
            writer.beginRun(spec);
            writer.add(1, 1, kind, ByteSlice.utf8("k"), new ByteSlice(), SegmentWriter.NO_TTL);
            writer.endRun();
            writer.finish();
        }
        return new RunView(Segment.open(dir, id, KeyGroupSpan.ALL).runs().get(0), KeyGroupSpan.ALL);
    }

    private void checkContent(Segment merged) throws IOException {
        TreeMap<Key, Content> expected = ModelRuns.atBottom(ModelRuns.merged(runs.newestFirst));
        MergeCursor cursor =
                MergeCursor.scan(
                        List.of(new RunView(merged.runs().get(0), KeyGroupSpan.ALL)),
                        KeyGroupSpan.ALL,
                        ModelRuns.DELIMITER,
                        new ValueConverters(ModelRuns.RULES),
                        StreamingPageSource::of);
        assertThat(runs.drain(cursor)).isEqualTo(expected);
    }

    private void requireOnlyInputs() throws IOException {
        assertThat(dir.list()).hasSize(runs.newestFirst.size());
        assertThat(dir.openHandles()).hasSize(runs.newestFirst.size());
        for (RunView view : runs.views()) {
            assertThat(view.run().segment().references()).isEqualTo(1);
        }
    }
}
