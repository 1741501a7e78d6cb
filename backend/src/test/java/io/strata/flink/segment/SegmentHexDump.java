/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.segment;

import io.strata.flink.format.bytes.AnnotatedHex;
import io.strata.flink.format.segment.FilterDescriptor;
import io.strata.flink.format.segment.FooterDescriptor;
import io.strata.flink.format.segment.IndexDescriptor;
import io.strata.flink.format.segment.KeyGroupEntry;
import io.strata.flink.format.segment.PageCompression;
import io.strata.flink.format.segment.PageDescriptor;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.format.segment.RunDirectory;
import io.strata.flink.format.segment.SegmentHeaderDescriptor;
import io.strata.flink.format.segment.SegmentId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;

/** Says what each byte of a segment is. */
final class SegmentHexDump {

    private final byte[] bytes;
    private final SegmentLayout layout;
    private final AnnotatedHex hex = new AnnotatedHex();

    private SegmentHexDump(SegmentId id, byte[] bytes) throws IOException {
        this.bytes = bytes;
        this.layout =
                SegmentLayout.read(
                        id.fileName(),
                        id,
                        bytes.length,
                        (position, target) ->
                                target.put(bytes, (int) position, target.remaining()));
    }

    static String of(SegmentId id, byte[] bytes) throws IOException {
        return new SegmentHexDump(id, bytes).dump();
    }

    private String dump() {
        header();
        for (RunDirectory run : layout.footer().runs()) {
            comment("run of state " + run.spec().stateName() + ": data area");
            run.keyGroups().forEach(this::pages);
            comment("index area: the first order key of each page, and the lengths less 1");
            run.keyGroups().forEach(this::index);
            comment("filter area");
            for (KeyGroupEntry entry : run.keyGroups()) {
                for (int i = 0; i < entry.filterBlocks(); i++) {
                    add(FilterDescriptor.BLOCK_BYTES, group(entry) + ", block " + i);
                }
            }
        }
        footer();
        trailer();
        return hex.toString();
    }

    private void header() {
        comment("header");
        add(8, "magic STRATSEG");
        add(4, "version");
        add(4, "page bytes");
        add(16, "segment id, high and low");
        add(1, "compression: " + layout.header().compression().name().toLowerCase(Locale.ROOT));
        add(3, "zero");
        add(SegmentHeaderDescriptor.HEADER_BYTES - hex.offset(), "checksum of the header");
    }

    private void pages(KeyGroupEntry entry) {
        int start = (int) entry.dataOffset();
        for (int i = 0; i < entry.pages(); i++) {
            int length = 1 + (buffer().getShort(lengthOffset(entry, i)) & 0xFFFF);
            comment(group(entry) + ", page " + i + " of " + length + " bytes");
            if (layout.header().compression() == PageCompression.NONE) {
                PageView page = new PageView();
                page.set(buffer(), start, length);
                page(page);
                start += length;
            } else {
                int stored =
                        1 + (buffer().getShort(lengthOffset(entry, i + entry.pages())) & 0xFFFF);
                add(stored, stored < length ? "LZ4 block" : "as it is");
                start += stored;
            }
        }
    }

    private static int lengthOffset(KeyGroupEntry entry, int page) {
        return (int) entry.indexOffset() + entry.pages() * Long.BYTES + page * Short.BYTES;
    }

    private void index(KeyGroupEntry entry) {
        for (int i = 0; i < entry.pages(); i++) {
            add(IndexDescriptor.ORDER_KEY_BYTES, group(entry) + ", page " + i);
        }
        for (int i = 0; i < entry.pages(); i++) {
            add(IndexDescriptor.LENGTH_BYTES, group(entry) + ", length of page " + i);
        }
        if (IndexDescriptor.hasStoredLengths(layout.header())) {
            for (int i = 0; i < entry.pages(); i++) {
                add(IndexDescriptor.LENGTH_BYTES, group(entry) + ", stored length of page " + i);
            }
        }
    }

    private void page(PageView page) {
        int records = PageSearch.records(page);
        int end = page.offset + page.length;
        int table = PageSearch.orderKeyIndex(page, records, 0);
        if (records == 0) {
            add(table - hex.offset(), "the record goes on");
        }
        for (int i = 0; i < records; i++) {
            record(PageSearch.recordIndex(page, records, i), table);
        }
        for (int i = 0; i < records; i++) {
            add(Long.BYTES, "order key of record " + i);
        }
        for (int i = 0; i < records; i++) {
            add(Short.BYTES, "offset of record " + i);
        }
        add(Short.BYTES, "records: " + records);
        add(1, "flags" + flags(PageSearch.flags(page)));
        add(1, "zero");
        add(end - hex.offset(), "checksum of the page, xor its offset");
    }

    private void record(int start, int table) {
        RecordHead head = new RecordHead();
        head.read(buffer(), start);
        add(1, "key bytes: " + head.keyBytes);
        int code = bytes[hex.offset()] & ((1 << PageDescriptor.KIND_BITS) - 1);
        String kind = RecordKind.ofCode(code) + " of " + head.valueBytes + " value bytes";
        add(head.keyIndex - hex.offset(), kind);
        add(head.keyBytes, "key");
        int valueBytes = (int) Math.min(head.valueBytes, table - hex.offset());
        if (valueBytes > 0) {
            add(valueBytes, valueBytes < head.valueBytes ? "value, its beginning" : "value");
        }
    }

    private static String flags(int flags) {
        String continues = (flags & PageDescriptor.FLAG_CONTINUES) != 0 ? ": continues" : "";
        return (flags & PageDescriptor.FLAG_CONTINUATION) != 0
                ? continues + ": continuation"
                : continues;
    }

    private void footer() {
        comment("footer");
        add(4, "runs");
        add(4, "zero");
        for (RunDirectory run : layout.footer().runs()) {
            comment("run of state " + run.spec().stateName());
            add(4, "bytes of the name");
            add(4, "flags" + (run.spec().grouped() ? ": grouped" : ""));
            add(8, "schema id");
            add(8, "data offset");
            add(4, "key groups");
            add(4, "zero");
            add(buffer().getInt(hex.offset() - FooterDescriptor.RUN_HEADER_BYTES), "name");
            run.keyGroups().forEach(this::directoryEntry);
        }
    }

    private void directoryEntry(KeyGroupEntry entry) {
        comment("directory entry of key group " + entry.keyGroup());
        add(4, "key group");
        add(4, "filter blocks");
        add(8, "data bytes");
        add(8, "records");
        add(8, "tombstones");
        add(8, "smallest TTL timestamp");
        add(8, "largest TTL timestamp");
        add(4, "pages");
        add(4, "data checksum");
        add(4, "index checksum");
        add(4, "filter checksum");
    }

    private void trailer() {
        comment("trailer");
        add(8, "footer offset");
        add(8, "footer bytes");
        add(16, "segment id, high and low");
        add(4, "footer checksum");
        add(4, "version");
        add(4, "checksum of the trailer");
        add(bytes.length - hex.offset(), "magic STRE");
    }

    private static String group(KeyGroupEntry entry) {
        return "key group " + entry.keyGroup();
    }

    private ByteBuffer buffer() {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void comment(String text) {
        hex.comment(text);
    }

    private void add(int length, String what) {
        hex.add(what, bytes, hex.offset(), length);
    }
}
