/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.compaction.MergeCursor;
import io.strata.flink.compaction.ValueConverters;
import io.strata.flink.compaction.ValueRules;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.format.state.ListFormat;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentOptions;
import io.strata.flink.segment.SegmentWriter;
import io.strata.flink.segment.StreamingPageSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Entries made of the records of several runs. */
class RunEntriesTest {

    private static final int LARGE_BYTES = 1000;

    @TempDir Path root;

    private LocalStorageDirectory directory;
    private final List<Segment> segments = new ArrayList<>();

    @BeforeEach
    void writeRuns() throws IOException {
        directory = LocalStorageDirectory.create(root.resolve("runs"));
        writeRun("1 a PUT x", "1 b PUT y", "2 c APPEND 1", "4 e PUT " + "l".repeat(LARGE_BYTES));
        writeRun("1 b DELETE", "2 c APPEND 2", "3 d DELETE");
        writeRun("1 a PUT z", "2 c APPEND 3");
    }

    @AfterEach
    void close() throws IOException {
        segments.forEach(Segment::release);
        directory.close();
    }

    /** Writes a run that is newer than those before, one character a key. */
    private void writeRun(String... records) throws IOException {
        SegmentId id = new SegmentId(1, segments.size());
        try (SegmentWriter writer =
                SegmentWriter.create(directory, id, new SegmentOptions(64, 10))) {
            writer.beginRun(new RunSpec("state", false, 0));
            for (String record : records) {
                String[] parts = record.split(" ");
                writer.add(
                        Integer.parseInt(parts[0]),
                        parts[1].charAt(0),
                        RecordKind.valueOf(parts[2]),
                        bytes(parts[0] + parts[1]),
                        bytes(parts.length > 3 ? parts[3] : ""),
                        SegmentWriter.NO_TTL);
            }
            writer.endRun();
            writer.finish();
        }
        segments.add(0, Segment.open(directory, id, KeyGroupSpan.ALL));
    }

    private static ByteSlice bytes(String text) {
        return new ByteSlice(text.getBytes(StandardCharsets.US_ASCII));
    }

    private RunEntries entries(EntryFilter filter, long maxValueBytes) {
        List<RunView> newestFirst =
                segments.stream().map(s -> new RunView(s.runs().get(0), KeyGroupSpan.ALL)).toList();
        return new RunEntries(
                new SavedState(5, "state", filter, ValueRules.NONE),
                MergeCursor.scan(
                        newestFirst,
                        KeyGroupSpan.ALL,
                        ListFormat.DELIMITER,
                        new ValueConverters(ValueRules.NONE),
                        StreamingPageSource::of),
                maxValueBytes);
    }

    private static List<String> read(RunEntries entries) throws IOException {
        List<String> read = new ArrayList<>();
        for (int keyGroup = 0; keyGroup < 6; keyGroup++) {
            while (entries.next(keyGroup)) {
                String key = new String(entries.key(), StandardCharsets.US_ASCII);
                String value = new String(entries.value(), StandardCharsets.US_ASCII);
                read.add(key + "=" + value);
            }
        }
        return read;
    }

    @Test
    void showsWhatIsThereOnceWithListsJoined() throws IOException {
        assertThat(read(entries(null, LARGE_BYTES)))
                .containsExactly("1a=z", "2c=1,2,3", "4e=" + "l".repeat(LARGE_BYTES));
    }

    @Test
    void leavesOutWhatTheFilterDoesNotKeep() throws IOException {
        EntryFilter noLists = value -> value.length == 5 ? null : bytes("kept").bytes;

        assertThat(read(entries(noLists, LARGE_BYTES))).containsExactly("1a=kept", "4e=kept");
    }

    @Test
    void passesNoKeyGroupThatWasNotAskedForYet() throws IOException {
        RunEntries entries = entries(null, LARGE_BYTES);

        assertThat(entries.next(0)).isFalse();
        assertThat(entries.next(1)).isTrue();
        assertThat(entries.next(1)).isFalse();
        assertThat(entries.next(1)).isFalse();
    }

    @Test
    void givesEachEntryArraysOfItsOwn() throws IOException {
        RunEntries entries = entries(null, LARGE_BYTES);
        entries.next(1);
        byte[] key = entries.key();
        key[0] |= (byte) 0x80;
        entries.next(2);

        assertThat(entries.key()).isNotSameAs(key).isEqualTo(bytes("2c").bytes);
    }

    @Test
    void refusesAValueThatIsTooLong() {
        assertThatThrownBy(() -> read(entries(null, LARGE_BYTES - 1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("'state'")
                .hasMessageContaining("1000 bytes")
                .hasMessageContaining("key group 4")
                .hasMessageContaining("--type native");
    }

    @Test
    void stopsWhenTheThreadIsInterrupted() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> read(entries(null, LARGE_BYTES)))
                    .isInstanceOf(InterruptedIOException.class)
                    .hasMessageContaining("'state'");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
