/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.files;

import io.strata.flink.engine.StoreManifest;
import io.strata.flink.engine.StoreManifest.RunRef;
import io.strata.flink.engine.StoreManifest.SegmentEntry;
import io.strata.flink.engine.StoreManifest.StateRuns;
import io.strata.flink.format.bytes.BoundedReader;
import io.strata.flink.format.bytes.Checksums;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.bytes.FormatTooNewException;
import io.strata.flink.format.bytes.FormatTooOldException;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.schema.SavedSchemas;
import io.strata.flink.schema.Schema;
import io.strata.flink.segment.SegmentLayout.ByteRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of {@link SnapshotMetadata}.
 *
 * <pre>
 *   magic            8 bytes
 *   version          4 bytes
 *   flink metadata   4 bytes length, then the bytes that KeyedBackendSerializationProxy writes
 *   timers           1 byte, 1 when the handle has a file with timers
 *   segments         var-int count, then for each
 *     id             16 bytes
 *     file bytes     var-int, the length of the whole segment
 *     present        two var-ints, first and last key group that were uploaded
 *     extents        var-int count, then for each two var-ints, offset and length
 *   states           var-int count, then for each
 *     name           var-int length, then UTF-8
 *     runs           var-int count, newest first, then for each four var-ints:
 *                    segment index, run ordinal, first and last key group that count
 *   schemas          since version 2: var-int count of keyed states, then for each
 *     name           var-int length, then UTF-8
 *     current        8 bytes, the schema that the flink metadata describes
 *     schemas        var-int count, then for each one that a run has
 *       id           8 bytes, as in the run
 *       ttl since    8 bytes, milliseconds, or the smallest number for none
 *       snapshot     var-int length, then a versioned snapshot of the state's serializer
 *   checksum         4 bytes, CRC32C of everything before it
 * </pre>
 *
 * <p>In version 1 all runs have schema 0, the one that the flink metadata describes.
 *
 * <p>Numbers of fixed length are little-endian. The first eight bytes tell our metadata from that
 * of other backends, which write the same kind of handle.
 */
public final class SnapshotMetadataFormat {

    /** {@code STRATACP} read as little-endian number. */
    static final long MAGIC = 0x5043_4154_4152_5453L;

    static final int VERSION_START = 1;
    static final int VERSION_CURRENT = 2;

    /** The first version in which runs have schemas. */
    private static final int VERSION_SCHEMAS = 2;

    private static final int HEADER_BYTES = Long.BYTES + Integer.BYTES;
    private static final int MIN_BYTES = HEADER_BYTES + Integer.BYTES + 3 + Integer.BYTES;

    private SnapshotMetadataFormat() {}

    /** Tells whether bytes begin as our metadata does. */
    public static boolean isOurs(byte[] bytes) {
        return bytes.length >= Long.BYTES
                && ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong() == MAGIC;
    }

    public static byte[] encode(SnapshotMetadata metadata) {
        FormatWriter out = new FormatWriter();
        out.writeLong(MAGIC);
        out.writeInt(VERSION_CURRENT);
        out.writeInt(metadata.flinkMetadata().length);
        out.writeBytes(metadata.flinkMetadata());
        out.writeByte(metadata.hasTimers() ? 1 : 0);
        out.writeVarInt(metadata.segments().size());
        metadata.segments().forEach(segment -> encode(segment, out));
        out.writeVarInt(metadata.manifest().states().size());
        metadata.manifest().states().forEach(state -> encode(state, out));
        out.writeVarInt(metadata.schemas().size());
        metadata.schemas().forEach(state -> encode(state, out));
        return out.finishWithChecksum();
    }

    private static void encode(RemoteSegment segment, FormatWriter out) {
        out.writeLong(segment.id().high());
        out.writeLong(segment.id().low());
        out.writeVarInt(segment.fileBytes());
        out.writeVarInt(segment.present().first());
        out.writeVarInt(segment.present().last());
        out.writeVarInt(segment.extents().size());
        for (ByteRange extent : segment.extents()) {
            out.writeVarInt(extent.offset());
            out.writeVarInt(extent.length());
        }
    }

    private static void encode(StateRuns state, FormatWriter out) {
        byte[] name = state.stateName().getBytes(StandardCharsets.UTF_8);
        out.writeVarInt(name.length);
        out.writeBytes(name);
        out.writeVarInt(state.newestFirst().size());
        for (RunRef run : state.newestFirst()) {
            out.writeVarInt(run.segmentIndex());
            out.writeVarInt(run.runOrdinal());
            out.writeVarInt(run.firstKeyGroup());
            out.writeVarInt(run.lastKeyGroup());
        }
    }

    private static void encode(SavedSchemas state, FormatWriter out) {
        byte[] name = state.stateName().getBytes(StandardCharsets.UTF_8);
        out.writeVarInt(name.length);
        out.writeBytes(name);
        out.writeLong(state.currentId());
        out.writeVarInt(state.schemas().size());
        for (Schema schema : state.schemas()) {
            out.writeLong(schema.id());
            out.writeLong(schema.ttlSince());
            out.writeVarInt(schema.snapshot().length);
            out.writeBytes(schema.snapshot());
        }
    }

    /**
     * Reads metadata and verifies all of it.
     *
     * @param file how errors name the file
     * @throws io.strata.flink.format.bytes.FormatException when the bytes are cut, altered, or of a
     *     version that this build does not read
     */
    public static SnapshotMetadata decode(String file, byte[] bytes) throws IOException {
        if (bytes.length < MIN_BYTES) {
            throw new CorruptFormatException(
                    file, "length", "at least " + MIN_BYTES + " bytes", bytes.length);
        }
        int bodyBytes = bytes.length - Integer.BYTES;
        BoundedReader in = new BoundedReader(file, ByteBuffer.wrap(bytes, 0, bodyBytes));
        int version = readVersion(in);
        verifyChecksum(file, bytes, bodyBytes);

        byte[] flinkMetadata =
                in.readBytes("flink metadata", in.readInt("its length", 0, in.remaining()));
        boolean hasTimers = in.readUnsignedByte("timers") == 1;
        List<RemoteSegment> segments = decodeSegments(in);
        List<StateRuns> states = decodeStates(in, segments.size());
        List<SavedSchemas> schemas = version < VERSION_SCHEMAS ? List.of() : decodeSchemas(in);
        if (in.remaining() > 0) {
            throw new CorruptFormatException(file, "end", "no more bytes", in.remaining());
        }
        List<SegmentEntry> entries =
                segments.stream().map(s -> new SegmentEntry(s.id(), s.fileBytes())).toList();
        return new SnapshotMetadata(
                flinkMetadata, new StoreManifest(entries, states), segments, hasTimers, schemas);
    }

    private static int readVersion(BoundedReader in) throws IOException {
        long magic = in.readLong("magic");
        if (magic != MAGIC) {
            throw new CorruptFormatException(
                    in.file(), "magic", Long.toHexString(MAGIC), Long.toHexString(magic));
        }
        int version = in.readInt("version");
        if (version > VERSION_CURRENT) {
            throw new FormatTooNewException(in.file(), "version", VERSION_CURRENT, version);
        }
        if (version < VERSION_START) {
            throw new FormatTooOldException(in.file(), "version", VERSION_START, version);
        }
        return version;
    }

    private static void verifyChecksum(String file, byte[] bytes, int bodyBytes)
            throws CorruptFormatException {
        int expected = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bodyBytes);
        int found = Checksums.crc32c(bytes, 0, bodyBytes);
        if (found != expected) {
            throw new CorruptFormatException(
                    file, "checksum", Checksums.text(expected), Checksums.text(found));
        }
    }

    private static List<RemoteSegment> decodeSegments(BoundedReader in) throws IOException {
        int count = in.readVarInt("segment count", in.remaining());
        List<RemoteSegment> segments = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            SegmentId id = new SegmentId(in.readLong("segment id"), in.readLong("segment id"));
            long fileBytes = in.readVarInt("segment length");
            KeyGroupSpan present = decodeSpan(in);
            int extentCount = in.readVarInt("extent count", in.remaining());
            List<ByteRange> extents = new ArrayList<>(extentCount);
            long end = 0;
            for (int j = 0; j < extentCount; j++) {
                ByteRange extent = new ByteRange(in.readVarInt("offset"), in.readVarInt("length"));
                if (extent.offset() < end || extent.length() < 0 || extent.end() > fileBytes) {
                    throw new CorruptFormatException(
                            in.file(), "extent", "within " + end + ".." + fileBytes, extent);
                }
                end = extent.end();
                extents.add(extent);
            }
            segments.add(new RemoteSegment(id, fileBytes, present, extents));
        }
        return segments;
    }

    private static List<StateRuns> decodeStates(BoundedReader in, int segmentCount)
            throws IOException {
        int count = in.readVarInt("state count", in.remaining());
        List<StateRuns> states = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String name = in.readUtf8("state name", in.readVarInt("name length", in.remaining()));
            int runCount = in.readVarInt("run count", in.remaining());
            List<RunRef> runs = new ArrayList<>(runCount);
            for (int j = 0; j < runCount; j++) {
                int segment = in.readVarInt("segment index", segmentCount - 1);
                int ordinal = in.readVarInt("run ordinal", Integer.MAX_VALUE);
                KeyGroupSpan span = decodeSpan(in);
                runs.add(new RunRef(segment, ordinal, span.first(), span.last()));
            }
            states.add(new StateRuns(name, runs));
        }
        return states;
    }

    private static List<SavedSchemas> decodeSchemas(BoundedReader in) throws IOException {
        int count = in.readVarInt("schema state count", in.remaining());
        List<SavedSchemas> states = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String name = in.readUtf8("state name", in.readVarInt("name length", in.remaining()));
            long currentId = in.readLong("current schema");
            int schemaCount = in.readVarInt("schema count", in.remaining());
            List<Schema> schemas = new ArrayList<>(schemaCount);
            for (int j = 0; j < schemaCount; j++) {
                long id = in.readLong("schema id");
                long ttlSince = in.readLong("ttl since");
                int length = in.readVarInt("snapshot length", in.remaining());
                schemas.add(new Schema(id, in.readBytes("snapshot", length), ttlSince));
            }
            states.add(new SavedSchemas(name, currentId, schemas));
        }
        return states;
    }

    private static KeyGroupSpan decodeSpan(BoundedReader in) throws IOException {
        int first = in.readVarInt("first key group", KeyGroupSpan.MAX_KEY_GROUP);
        int last = in.readVarInt("last key group", KeyGroupSpan.MAX_KEY_GROUP);
        if (last < first) {
            throw new CorruptFormatException(
                    in.file(), "last key group", "at least " + first, last);
        }
        return new KeyGroupSpan(first, last);
    }
}
