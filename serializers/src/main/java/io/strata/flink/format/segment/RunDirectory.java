/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

import io.strata.flink.format.bytes.BoundedReader;
import io.strata.flink.format.bytes.CorruptFormatException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What the footer says of one run; bytes as {@link FooterDescriptor} says.
 *
 * @param spec what the run is of
 * @param dataOffset where its data area begins; index area and filter area follow it
 * @param keyGroups its key groups that have records, ascending, at least one
 */
public record RunDirectory(RunSpec spec, long dataOffset, List<KeyGroupEntry> keyGroups) {

    /** Makes a directory; the offsets of the entries are set here. */
    public RunDirectory {
        long data = dataOffset;
        long index = data;
        for (KeyGroupEntry entry : keyGroups) {
            index += entry.dataBytes();
        }
        long filter = index;
        for (KeyGroupEntry entry : keyGroups) {
            filter += entry.indexBytes();
        }
        List<KeyGroupEntry> placed = new ArrayList<>(keyGroups.size());
        for (KeyGroupEntry entry : keyGroups) {
            placed.add(entry.at(data, index, filter));
            data += entry.dataBytes();
            index += entry.indexBytes();
            filter += entry.filterBytes();
        }
        keyGroups = List.copyOf(placed);
    }

    /** Returns where the run's filter area, and with it the run, ends. */
    public long endOffset() {
        KeyGroupEntry last = keyGroups.get(keyGroups.size() - 1);
        return last.filterOffset() + last.filterBytes();
    }

    /** Returns the entries of the span, ascending. */
    public List<KeyGroupEntry> within(KeyGroupSpan span) {
        return keyGroups.stream().filter(entry -> span.contains(entry.keyGroup())).toList();
    }

    int encodedBytes() {
        return FooterDescriptor.RUN_HEADER_BYTES
                + name().length
                + keyGroups.size() * FooterDescriptor.GROUP_BYTES;
    }

    void encode(ByteBuffer out) {
        out.putInt(name().length);
        out.putInt(spec.grouped() ? FooterDescriptor.RUN_FLAG_GROUPED : 0);
        out.putLong(spec.schemaId());
        out.putLong(dataOffset);
        out.putInt(keyGroups.size()).putInt(0);
        out.put(name());
        keyGroups.forEach(entry -> entry.encode(out));
    }

    static RunDirectory decode(BoundedReader in, SegmentHeader header)
            throws CorruptFormatException {
        int nameBytes = in.readInt("bytes of the state's name", 0, in.remaining());
        int flags = in.readInt("run flags", 0, FooterDescriptor.RUN_FLAG_GROUPED);
        long schemaId = in.readLong("schema id");
        long dataOffset = in.readLong("data offset of a run");
        int most = in.remaining() / FooterDescriptor.GROUP_BYTES;
        int count = in.readInt("key groups of a run", 1, Math.max(1, most));
        in.readZeros("padding of a run", Integer.BYTES);
        RunSpec spec = new RunSpec(in.readUtf8("state name", nameBytes), flags != 0, schemaId);
        List<KeyGroupEntry> entries = new ArrayList<>(count);
        int next = 0;
        for (int i = 0; i < count; i++) {
            KeyGroupEntry entry = KeyGroupEntry.decode(in, next, header);
            entries.add(entry);
            next = entry.keyGroup() + 1;
        }
        return new RunDirectory(spec, dataOffset, entries);
    }

    private byte[] name() {
        return spec.stateName().getBytes(StandardCharsets.UTF_8);
    }
}
