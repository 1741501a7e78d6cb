/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.checkpoint.files.RemoteSegment;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunSpec;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.segment.Segment;
import io.strata.flink.segment.SegmentLayout;
import io.strata.flink.segment.SegmentOptions;
import io.strata.flink.segment.SegmentWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.state.StreamStateHandle;
import org.apache.flink.runtime.state.filesystem.FileStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Brings a segment whole, in part, in pieces and by a link. */
class SegmentDownloaderTest {

    private static final int KEY_GROUPS = 8;
    private static final int RECORDS_PER_KEY_GROUP = 300;
    private static final int VALUE_BYTES = 100;
    private static final long SMALL_PIECE_BYTES = 40_000;
    private static final SegmentId ID = new SegmentId(1, 2);

    @TempDir private Path temporary;

    private final TransferPool pool = new TransferPool("test", 3);
    private final CloseableRegistry cancellation = new CloseableRegistry();
    private StorageDirectory local;
    private byte[] remote;

    @BeforeEach
    void writeSegment() throws IOException {
        Path source = Files.createDirectory(temporary.resolve("source"));
        try (StorageDirectory directory = LocalStorageDirectory.create(source.resolve("s"))) {
            write(directory);
            remote = Files.readAllBytes(source.resolve("s").resolve(ID.fileName()));
        }
        local = LocalStorageDirectory.create(temporary.resolve("local"));
    }

    private static void write(StorageDirectory directory) throws IOException {
        Random random = new Random(7);
        byte[] value = new byte[VALUE_BYTES];
        ByteSlice key = new ByteSlice();
        ByteSlice content = new ByteSlice();
        try (SegmentWriter writer =
                SegmentWriter.create(directory, ID, new SegmentOptions(4096, 10))) {
            for (String state : List.of("one", "two")) {
                writer.beginRun(new RunSpec(state, false, 0));
                for (int i = 0; i < KEY_GROUPS * RECORDS_PER_KEY_GROUP; i++) {
                    random.nextBytes(value);
                    key.set(new byte[] {(byte) (i >> 8), (byte) i}, 0, 2);
                    content.set(value, 0, value.length);
                    writer.add(
                            i / RECORDS_PER_KEY_GROUP,
                            i % RECORDS_PER_KEY_GROUP,
                            RecordKind.PUT,
                            key,
                            content,
                            SegmentWriter.NO_TTL);
                }
                writer.endRun();
            }
            writer.finish();
        }
    }

    @AfterEach
    void close() throws IOException {
        local.close();
        pool.close();
        cancellation.close();
    }

    @Test
    void bringsASmallSegmentWithOneStream() throws Exception {
        CountedFile file = new CountedFile(remote);

        download(file, KeyGroupSpan.ALL, Long.MAX_VALUE);

        assertThat(localBytes()).isEqualTo(remote);
        assertThat(file.opened).hasValue(1);
    }

    @Test
    void bringsPiecesOfALargeSegmentToTheirPlaces() throws Exception {
        CountedFile file = new CountedFile(remote);

        download(file, KeyGroupSpan.ALL, SMALL_PIECE_BYTES);

        assertThat(localBytes()).isEqualTo(remote);
        assertThat(file.opened.get()).isGreaterThan(5);
    }

    @Test
    void bringsPiecesOfAPartToTheirPlaces() throws Exception {
        KeyGroupSpan needed = new KeyGroupSpan(2, 5);

        SegmentLayout layout = download(new CountedFile(remote), needed, SMALL_PIECE_BYTES);

        assertThat(layout.piecesFor(needed, SMALL_PIECE_BYTES)).hasSizeGreaterThan(4);
        Segment segment = Segment.open(local, ID, needed);
        segment.verifyData();
        assertThat(segment.runs()).hasSize(2);
        segment.release();
    }

    @Test
    void namesAnAlteredByteInAnyPiece() {
        for (int position = 1000; position < remote.length; position += 50_000) {
            byte[] altered = remote.clone();
            altered[position] ^= 1;

            assertThatThrownBy(() -> downloadAndVerify(new CountedFile(altered), SMALL_PIECE_BYTES))
                    .as("byte %d of %d", position, remote.length)
                    .isInstanceOf(CorruptFormatException.class)
                    .hasMessageContaining(ID.fileName());
        }
    }

    @Test
    void stopsInEveryPiece() {
        SegmentRequest request = request(new CountedFile(remote), KeyGroupSpan.ALL);

        assertThatThrownBy(() -> downloader(SMALL_PIECE_BYTES).download(request, () -> true))
                .isInstanceOf(CancellationException.class);
        assertThat(cancellation.getNumberOfRegisteredCloseables()).isZero();
    }

    @Test
    void linksToAWholeSegmentOnTheSameFileSystem() throws Exception {
        Path file = remoteFile(remote);
        KeyGroupSpan needed = new KeyGroupSpan(2, 5);
        RestoreCounters counters = new RestoreCounters();

        new SegmentDownloader(pool, cancellation, counters, true, SMALL_PIECE_BYTES)
                .download(request(handle(file), needed), () -> false);

        assertThat(Files.isSameFile(localFile(), file)).isTrue();
        assertThat(counters.stats().bytesRead())
                .isBetween(remote.length / 3L, remote.length * 2L / 3);
        Segment segment = Segment.open(local, ID, needed);
        segment.verifyData();
        segment.release();
        assertThat(Files.readAllBytes(file)).isEqualTo(remote);
    }

    @Test
    void namesAnAlteredByteOfALinkedSegment() throws Exception {
        byte[] altered = remote.clone();
        altered[remote.length / 3] ^= 1;
        SegmentRequest request = request(handle(remoteFile(altered)), KeyGroupSpan.ALL);

        assertThatThrownBy(() -> downloader(SMALL_PIECE_BYTES).download(request, () -> false))
                .isInstanceOf(CorruptFormatException.class)
                .hasMessageContaining(ID.fileName());
    }

    @Test
    void downloadsWhereLinksAreOff() throws Exception {
        Path file = remoteFile(remote);

        new SegmentDownloader(pool, cancellation, new RestoreCounters(), false, SMALL_PIECE_BYTES)
                .download(request(handle(file), KeyGroupSpan.ALL), () -> false);

        assertThat(Files.isSameFile(localFile(), file)).isFalse();
        assertThat(localBytes()).isEqualTo(remote);
    }

    @Test
    void downloadsAPartThatWasUploaded() throws Exception {
        KeyGroupSpan needed = new KeyGroupSpan(2, 5);
        List<SegmentLayout.ByteRange> extents = rangesOf(needed);
        Path file = remoteFile(partOf(extents));
        RemoteSegment part = new RemoteSegment(ID, remote.length, needed, extents);

        downloader(SMALL_PIECE_BYTES)
                .download(new SegmentRequest(part, needed, local, handle(file), null), () -> false);

        assertThat(Files.isSameFile(localFile(), file)).isFalse();
        Segment segment = Segment.open(local, ID, needed);
        segment.verifyData();
        segment.release();
    }

    private List<SegmentLayout.ByteRange> rangesOf(KeyGroupSpan span) throws IOException {
        return SegmentLayout.read(
                        "remote",
                        ID,
                        remote.length,
                        (position, target) ->
                                target.put(remote, (int) position, target.remaining()))
                .rangesFor(span);
    }

    private byte[] partOf(List<SegmentLayout.ByteRange> extents) {
        ByteArrayOutputStream part = new ByteArrayOutputStream();
        for (SegmentLayout.ByteRange extent : extents) {
            part.write(remote, (int) extent.offset(), (int) extent.length());
        }
        return part.toByteArray();
    }

    private Path remoteFile(byte[] content) throws IOException {
        return Files.write(temporary.resolve("remote"), content);
    }

    private static FileStateHandle handle(Path file) throws IOException {
        return new FileStateHandle(
                new org.apache.flink.core.fs.Path(file.toUri()), Files.size(file));
    }

    private SegmentLayout download(CountedFile file, KeyGroupSpan needed, long pieceBytes)
            throws Exception {
        SegmentLayout layout = downloader(pieceBytes).download(request(file, needed), () -> false);
        assertThat(cancellation.getNumberOfRegisteredCloseables()).isZero();
        return layout;
    }

    /** Index and filters are verified when a segment is opened. */
    private void downloadAndVerify(CountedFile file, long pieceBytes) throws Exception {
        try {
            download(file, KeyGroupSpan.ALL, pieceBytes);
            Segment.open(local, ID, KeyGroupSpan.ALL).release();
        } finally {
            if (local.exists(ID.fileName())) {
                local.delete(ID.fileName());
            }
        }
    }

    private SegmentDownloader downloader(long pieceBytes) {
        return new SegmentDownloader(pool, cancellation, new RestoreCounters(), true, pieceBytes);
    }

    private SegmentRequest request(StreamStateHandle file, KeyGroupSpan needed) {
        return new SegmentRequest(
                RemoteSegment.whole(ID, remote.length), needed, local, file, null);
    }

    private byte[] localBytes() throws IOException {
        return Files.readAllBytes(localFile());
    }

    private Path localFile() {
        return temporary.resolve("local").resolve(ID.fileName());
    }

    /** A file in memory that counts its readers. */
    private static final class CountedFile extends ByteStreamStateHandle {

        private static final long serialVersionUID = 1L;

        private final transient AtomicInteger opened = new AtomicInteger();

        CountedFile(byte[] bytes) {
            super("segment", bytes);
        }

        @Override
        public FSDataInputStream openInputStream() throws IOException {
            opened.incrementAndGet();
            return super.openInputStream();
        }
    }
}
