/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.VarCharType;

/** The kinds of values that the {@link MemoryJob} works on. */
final class Contents {

    private static final long KEY_STEP = 1_000_003;

    private Contents() {}

    static ValueWorkload.Content<Long> longs() {
        return new Simple<>(
                "long",
                Types.LONG,
                (key, count) -> key * KEY_STEP + count,
                (key, value) -> value - key * KEY_STEP);
    }

    static ValueWorkload.Content<String> strings(int bytes) {
        return new Simple<>(
                "string",
                Types.STRING,
                (key, count) -> count + ":" + Payload.text(key, count, bytes),
                (key, value) -> Long.parseLong(value.substring(0, value.indexOf(':'))));
    }

    static ValueWorkload.Content<byte[]> bytes(int bytes) {
        return new Simple<>(
                "bytes",
                org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo
                        .BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
                (key, count) -> {
                    byte[] value = Payload.bytes(key, count, Math.max(16, bytes));
                    for (int i = 0; i < Integer.BYTES; i++) {
                        value[i] = (byte) (count >>> (i * Byte.SIZE));
                    }
                    return value;
                },
                (key, value) -> {
                    long count = 0;
                    for (int i = 0; i < Integer.BYTES; i++) {
                        count |= (value[i] & 0xFFL) << (i * Byte.SIZE);
                    }
                    return count;
                });
    }

    static ValueWorkload.Content<MemoryPojo> pojos(int bytes) {
        return new Simple<>(
                "pojo",
                Types.POJO(MemoryPojo.class),
                (key, count) -> MemoryPojo.make(key, count, bytes),
                (key, value) -> value.getCount());
    }

    static ValueWorkload.Content<KryoObject> kryo(int bytes) {
        return new Simple<>(
                "kryo",
                Types.GENERIC(KryoObject.class),
                (key, count) ->
                        new KryoObject(
                                BigInteger.valueOf(key).shiftLeft(Long.SIZE),
                                count,
                                Payload.bytes(key, count, bytes)),
                (key, value) -> value.count());
    }

    static ValueWorkload.Content<Map<String, List<Tuple2<Long, String>>>> nested(int bytes) {
        return new Simple<>(
                "nested",
                Types.MAP(Types.STRING, Types.LIST(Types.TUPLE(Types.LONG, Types.STRING))),
                (key, count) -> nestedValue(key, count, bytes),
                (key, value) -> value.get("part0").get(0).f0);
    }

    private static Map<String, List<Tuple2<Long, String>>> nestedValue(
            long key, long count, int bytes) {
        int parts = 3;
        Map<String, List<Tuple2<Long, String>>> value = new HashMap<>();
        for (int part = 0; part < parts; part++) {
            List<Tuple2<Long, String>> list = new ArrayList<>();
            for (int i = 0; i <= part; i++) {
                list.add(Tuple2.of(count + i, Payload.text(key + i, count, bytes / 6)));
            }
            value.put("part" + part, list);
        }
        return value;
    }

    /** Rows as the table runtime keeps them in its state: binary. */
    static ValueWorkload.Content<RowData> rows(int bytes) {
        return new Rows(bytes);
    }

    private static final class Rows implements ValueWorkload.Content<RowData> {

        private static final long serialVersionUID = 1L;
        private static final LogicalType[] FIELDS = {
            new BigIntType(), new BigIntType(), new VarCharType(VarCharType.MAX_LENGTH)
        };

        private final int bytes;
        private transient RowDataSerializer serializer;

        Rows(int bytes) {
            this.bytes = bytes;
        }

        @Override
        public String name() {
            return "row";
        }

        @Override
        public TypeInformation<RowData> type() {
            return InternalTypeInfo.ofFields(FIELDS);
        }

        @Override
        public RowData make(long key, long count) {
            if (serializer == null) {
                serializer = new RowDataSerializer(FIELDS);
            }
            StringData text = StringData.fromString(Payload.text(key, count, bytes));
            BinaryRowData row = serializer.toBinaryRow(GenericRowData.of(key, count, text));
            return row.copy();
        }

        @Override
        public long count(long key, RowData value) {
            return value.getLong(1);
        }
    }

    /** Makes a value. */
    private interface Maker<V> extends java.io.Serializable {
        V make(long key, long count);
    }

    /** Tells the count of a value. */
    private interface Counter<V> extends java.io.Serializable {
        long count(long key, V value);
    }

    private record Simple<V>(
            String name, TypeInformation<V> type, Maker<V> maker, Counter<V> counter)
            implements ValueWorkload.Content<V> {

        @Override
        public V make(long key, long count) {
            return maker.make(key, count);
        }

        @Override
        public long count(long key, V value) {
            return counter.count(key, value);
        }
    }
}
