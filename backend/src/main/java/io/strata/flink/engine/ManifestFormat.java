/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.engine.StoreManifest.RunRef;
import io.strata.flink.engine.StoreManifest.SegmentEntry;
import io.strata.flink.engine.StoreManifest.StateRuns;
import io.strata.flink.format.bytes.BoundedReader;
import io.strata.flink.format.bytes.Checksums;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.bytes.FormatException;
import io.strata.flink.format.bytes.FormatTooNewException;
import io.strata.flink.format.bytes.FormatTooOldException;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.SegmentId;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The bytes of a {@link StoreManifest}. Numbers are little-endian; {@code v} is a var-int.
 *
 * <pre>
 *   magic 8 | version 4 | body | CRC-32C of all before 4
 *
 *   body:     segments v | segment ... | states v | state ...
 *   segment:  id high 8 | id low 8 | file bytes 8
 *   state:    name bytes v | name UTF-8 | runs v | run ...      runs newest first
 *   run:      segment index v | ordinal v | first key group v | last key group v
 * </pre>
 */
public final class ManifestFormat {

    /** The first format. */
    static final int VERSION_START = 1;

    /** The version that is written, and the newest that is read. */
    static final int VERSION_CURRENT = VERSION_START;

    /** "STRATMAN" in ASCII. */
    private static final long MAGIC = 0x4E41_4D54_4152_5453L;

    private static final int MAX_COUNT = 1 << 24;
    private static final int MAX_NAME_BYTES = 1 << 16;

    private ManifestFormat() {}

    /** Returns the bytes of a manifest, in the current version. */
    public static byte[] encode(StoreManifest manifest) {
        Output out = new Output();
        out.putLong(MAGIC);
        out.putInt(VERSION_CURRENT);
        out.putVarInt(manifest.segments().size());
        for (SegmentEntry segment : manifest.segments()) {
            out.putLong(segment.id().high());
            out.putLong(segment.id().low());
            out.putLong(segment.fileBytes());
        }
        out.putVarInt(manifest.states().size());
        for (StateRuns state : manifest.states()) {
            byte[] name = state.stateName().getBytes(StandardCharsets.UTF_8);
            out.putVarInt(name.length);
            out.writeBytes(name);
            out.putVarInt(state.newestFirst().size());
            for (RunRef run : state.newestFirst()) {
                out.putVarInt(run.segmentIndex());
                out.putVarInt(run.runOrdinal());
                out.putVarInt(run.firstKeyGroup());
                out.putVarInt(run.lastKeyGroup());
            }
        }
        byte[] body = out.toByteArray();
        out.putInt(Checksums.crc32c(body, 0, body.length));
        return out.toByteArray();
    }

    /**
     * Verifies and decodes a manifest.
     *
     * @param source how errors name where the bytes come from
     * @throws FormatException when they are no manifest, damaged, or of a version that is not read
     */
    public static StoreManifest decode(String source, byte[] bytes) throws FormatException {
        int bodyBytes = bytes.length - Integer.BYTES;
        if (bodyBytes < Long.BYTES + Integer.BYTES) {
            throw new CorruptFormatException(
                    source, "manifest length", "at least 16 bytes", bytes.length);
        }
        requireKnown(source, new BoundedReader(source, ByteBuffer.wrap(bytes)));
        BoundedReader.requireChecksum(
                source,
                "manifest",
                Checksums.crc32c(bytes, 0, bodyBytes),
                ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(bodyBytes));
        BoundedReader in =
                new BoundedReader(source, ByteBuffer.wrap(Arrays.copyOf(bytes, bodyBytes)));
        requireKnown(source, in);
        List<SegmentEntry> segments = readSegments(in);
        List<StateRuns> states = readStates(in, segments.size());
        if (in.remaining() != 0) {
            throw new CorruptFormatException(source, "bytes after the manifest", 0, in.remaining());
        }
        return new StoreManifest(segments, states);
    }

    private static void requireKnown(String source, BoundedReader in) throws FormatException {
        long magic = in.readLong("manifest magic");
        if (magic != MAGIC) {
            throw new CorruptFormatException(
                    source,
                    "manifest magic",
                    Long.toHexString(MAGIC) + " (STRATMAN)",
                    Long.toHexString(magic));
        }
        int version = in.readInt("manifest version");
        if (version > VERSION_CURRENT) {
            throw new FormatTooNewException(source, "manifest version", VERSION_CURRENT, version);
        }
        if (version < VERSION_START) {
            throw new FormatTooOldException(source, "manifest version", VERSION_START, version);
        }
    }

    private static List<SegmentEntry> readSegments(BoundedReader in) throws FormatException {
        int count = in.readVarInt("number of segments", MAX_COUNT);
        List<SegmentEntry> segments = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SegmentId id = new SegmentId(in.readLong("segment id"), in.readLong("segment id"));
            segments.add(
                    new SegmentEntry(id, in.readLong("segment file bytes", 0, Long.MAX_VALUE)));
        }
        return segments;
    }

    private static List<StateRuns> readStates(BoundedReader in, int segments)
            throws FormatException {
        int count = in.readVarInt("number of states", MAX_COUNT);
        List<StateRuns> states = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name =
                    in.readUtf8("state name", in.readVarInt("state name bytes", MAX_NAME_BYTES));
            int runs = in.readVarInt("number of runs", MAX_COUNT);
            List<RunRef> newestFirst = new ArrayList<>();
            for (int j = 0; j < runs; j++) {
                newestFirst.add(readRun(in, segments));
            }
            states.add(new StateRuns(name, newestFirst));
        }
        return states;
    }

    private static RunRef readRun(BoundedReader in, int segments) throws FormatException {
        int segmentIndex = in.readVarInt("segment index of a run", MAX_COUNT);
        if (segmentIndex >= segments) {
            throw new CorruptFormatException(
                    in.file(), "segment index of a run", "below " + segments, segmentIndex);
        }
        int ordinal = in.readVarInt("ordinal of a run", MAX_COUNT);
        int first = in.readVarInt("first key group", KeyGroupSpan.MAX_KEY_GROUP);
        int last = in.readVarInt("last key group", KeyGroupSpan.MAX_KEY_GROUP);
        if (last < first) {
            throw new CorruptFormatException(
                    in.file(), "last key group", "at least " + first, last);
        }
        return new RunRef(segmentIndex, ordinal, first, last);
    }

    /** A growing buffer of little-endian numbers. */
    private static final class Output extends ByteArrayOutputStream {

        void putLong(long value) {
            for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
                write((int) (value >>> shift));
            }
        }

        void putInt(int value) {
            for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
                write(value >>> shift);
            }
        }

        void putVarInt(int value) {
            int rest = value;
            while (rest >= 0x80) {
                write((rest & 0x7F) | 0x80);
                rest >>>= 7;
            }
            write(rest);
        }
    }
}
