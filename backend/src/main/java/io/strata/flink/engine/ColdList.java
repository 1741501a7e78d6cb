/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.compaction.ValueConverter;
import io.strata.flink.compaction.ValueConverters;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.segment.RecordKind;
import io.strata.flink.segment.FoundRecord;
import io.strata.flink.segment.PageSource;
import io.strata.flink.segment.Segment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The records that make up one list in the cold tier: a base and what was appended to it, spread
 * over several runs. Task thread only; reusable.
 */
final class ColdList {

    private final PageSource pages;

    /** Records of the list, newest first; only the first {@link #parts} are of this list. */
    private final List<FoundRecord> records = new ArrayList<>();

    /** The segments and schemas that the records lie in. */
    private final List<Segment> segments = new ArrayList<>();

    private final List<Long> schemas = new ArrayList<>();
    private int parts;
    private long bytes;

    ColdList(PageSource pages) {
        this.pages = pages;
    }

    /** Finds the records; true if the list exists. */
    boolean locate(RunSet runs, int keyGroup, long orderKey, ByteSlice key) throws IOException {
        parts = 0;
        bytes = 0;
        segments.clear();
        schemas.clear();
        int from = 0;
        while (from < runs.size()) {
            if (records.size() == parts) {
                records.add(new FoundRecord());
            }
            FoundRecord record = records.get(parts);
            int index = runs.find(from, keyGroup, orderKey, key, pages, record);
            if (index < 0 || record.kind() == RecordKind.DELETE) {
                break;
            }
            segments.add(runs.get(index).run().segment());
            schemas.add(runs.schemaId(index));
            bytes += record.valueBytes();
            parts++;
            if (record.kind() == RecordKind.PUT) {
                break;
            }
            from = index + 1;
        }
        return parts > 0;
    }

    /** Returns the bytes of all elements. */
    long bytes() {
        return bytes;
    }

    /**
     * Returns the bytes of all elements, each with the delimiter that would follow it if all
     * records were joined: the same number however compaction cuts the list into records.
     */
    long length() {
        return bytes + parts;
    }

    /** Returns the number of records. */
    int parts() {
        return parts;
    }

    /** Returns a record, counted from the oldest. */
    FoundRecord oldest(int index) {
        return records.get(parts - 1 - index);
    }

    /** Returns the schema of a record, counted from the oldest. */
    long schemaId(int index) {
        return schemas.get(parts - 1 - index);
    }

    /** Returns the segments that the records lie in. */
    List<Segment> segments() {
        return segments;
    }

    /**
     * Decodes all elements that have not expired, oldest first, each record from the schema that it
     * was written in.
     */
    <T> List<T> readAll(ElementCodec<T> elements, ValueConverters converters, Expiry expiry)
            throws IOException {
        List<T> all = new ArrayList<>();
        ByteSlice rest = new ByteSlice();
        for (int i = 0; i < parts; i++) {
            ValueConverter converter = converters.from(schemaId(i));
            if (converter == null) {
                rest.set(oldest(i).value());
            } else {
                converter.convert(oldest(i).value(), rest);
            }
            while (rest.length > 0) {
                boolean expired = expiry.isExpired(expiry.timestamp(rest));
                T element = elements.decodeNext(rest);
                if (!expired) {
                    all.add(element);
                }
            }
        }
        return all;
    }
}
