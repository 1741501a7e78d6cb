/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;
import org.apache.flink.formats.avro.typeutils.GenericRecordAvroTypeInfo;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;

/**
 * Types of values as jobs keep them, each with random values and the serializer that Flink has.
 *
 * @param name what a report calls it
 * @param serializer Flink's
 * @param values makes a value
 */
record SizedKind<T>(
        String name, TypeSerializer<T> serializer, Function<SplittableRandom, T> values) {

    private static final String[] COUNTRIES = {"AT", "BE", "CH", "DE", "FR", "IT", "NL", "PL"};

    private static final Schema SCHEMA =
            SchemaBuilder.record("Payment")
                    .fields()
                    .requiredString("payer")
                    .requiredLong("cents")
                    .requiredDouble("rate")
                    .endRecord();

    private static final RowDataSerializer ROW_DATA =
            new RowDataSerializer(
                    new BigIntType(),
                    new VarCharType(VarCharType.MAX_LENGTH),
                    new DoubleType(),
                    new DecimalType(12, 2));

    /** A state of an order. */
    public enum Status {
        OPEN,
        PAID,
        SHIPPED
    }

    /** A POJO within another. */
    public static class Address {
        public String street;
        public String city;
        public int zip;
    }

    /** A POJO of many fields. */
    public static class Order {
        public long id;
        public Integer quantity;
        public double price;
        public boolean gift;
        public String customer;
        public String country;
        public Status status;
        public Address address;
        public long[] history;
        public List<String> tags;
    }

    /** A class that Flink can only give to Kryo. */
    static final class Session {
        private final UUID id;
        private final ArrayDeque<Long> clicks;
        private final BitSet pages;
        private final BigDecimal balance;
        private final BigInteger serial;
        private final LocalDateTime since;

        Session(SplittableRandom random) {
            id = new UUID(random.nextLong(), random.nextLong());
            clicks = new ArrayDeque<>();
            for (int i = random.nextInt(20); i > 0; i--) {
                clicks.add(random.nextLong());
            }
            pages = new BitSet();
            pages.set(random.nextInt(500));
            balance = BigDecimal.valueOf(random.nextLong(1L << 40), 2);
            serial = new BigInteger(1, bytes(random, 32));
            since = LocalDateTime.of(2026, 1, 1 + random.nextInt(28), random.nextInt(24), 0);
        }

        @Override
        public String toString() {
            return id + " " + clicks + pages + balance + serial + since;
        }
    }

    @Override
    public String toString() {
        return name;
    }

    static List<SizedKind<?>> all() {
        List<SizedKind<?>> kinds = new ArrayList<>(flat());
        kinds.addAll(nested());
        return kinds;
    }

    private static List<SizedKind<?>> flat() {
        return List.of(
                of("Long", Types.LONG, SplittableRandom::nextLong),
                of("String", Types.STRING, random -> text(random, 60)),
                of(
                        "byte[]",
                        TypeInformation.of(byte[].class),
                        random -> bytes(random, skewed(random, 120))),
                of("POJO", TypeInformation.of(Order.class), SizedKind::order),
                of(
                        "Tuple3",
                        TypeInformation.of(
                                new TypeHint<Tuple3<String, Long, Tuple2<Integer, Double>>>() {}),
                        random ->
                                Tuple3.of(
                                        text(random, 20),
                                        random.nextLong(),
                                        Tuple2.of(random.nextInt(), random.nextDouble()))),
                of(
                        "Row",
                        Types.ROW_NAMED(
                                new String[] {"id", "name", "price"},
                                Types.LONG,
                                Types.STRING,
                                Types.DOUBLE),
                        SizedKind::row),
                new SizedKind<RowData>("GenericRowData", ROW_DATA, SizedKind::rowData),
                new SizedKind<RowData>("BinaryRowData", ROW_DATA, SizedKind::binaryRowData),
                of("Avro", new GenericRecordAvroTypeInfo(SCHEMA), SizedKind::avro),
                of("Kryo", new GenericTypeInfo<>(Session.class), Session::new));
    }

    @SuppressWarnings("JdkObsolete") // what jobs have
    private static List<SizedKind<?>> nested() {
        return List.of(
                of(
                        "list of strings",
                        Types.LIST(Types.STRING),
                        random -> list(random, 30, r -> text(r, 20))),
                of(
                        "list of lists of Long",
                        Types.LIST(Types.LIST(Types.LONG)),
                        random -> list(random, 10, r -> list(r, 10, SplittableRandom::nextLong))),
                of(
                        "map of POJOs",
                        Types.MAP(Types.STRING, TypeInformation.of(Order.class)),
                        random -> map(random, new HashMap<>(), r -> text(r, 12), SizedKind::order)),
                of(
                        "map of lists",
                        Types.MAP(Types.LONG, Types.LIST(Types.STRING)),
                        random ->
                                map(
                                        random,
                                        new LinkedHashMap<>(),
                                        SplittableRandom::nextLong,
                                        r -> list(r, 8, r2 -> text(r2, 12)))),
                generic("TreeMap", random -> tree(random)),
                generic(
                        "LinkedList of sets",
                        random ->
                                new LinkedList<>(
                                        list(
                                                random,
                                                12,
                                                r ->
                                                        new HashSet<>(
                                                                list(
                                                                        r,
                                                                        12,
                                                                        SplittableRandom
                                                                                ::nextLong))))),
                of(
                        "long lists",
                        Types.LIST(Types.LONG),
                        random -> list(random, 2000, SplittableRandom::nextLong)),
                of(
                        "heavy tail",
                        Types.LIST(Types.STRING),
                        random -> {
                            int size = skewed(random, 12);
                            return IntStream.range(0, size)
                                    .mapToObj(i -> text(random, 24))
                                    .collect(ArrayList::new, List::add, List::addAll);
                        }));
    }

    private static <T> SizedKind<T> of(
            String name, TypeInformation<T> type, Function<SplittableRandom, T> values) {
        return new SizedKind<>(name, type.createSerializer(new SerializerConfigImpl()), values);
    }

    @SuppressWarnings("unchecked")
    private static SizedKind<Object> generic(String name, Function<SplittableRandom, ?> values) {
        return of(
                name,
                new GenericTypeInfo<>(Object.class),
                (Function<SplittableRandom, Object>) values);
    }

    static Order order(SplittableRandom random) {
        Order order = new Order();
        order.id = random.nextLong();
        order.quantity = random.nextInt(1000);
        order.customer = text(random, 30);
        order.country = COUNTRIES[random.nextInt(COUNTRIES.length)];
        order.status = Status.values()[random.nextInt(3)];
        order.address = new Address();
        order.address.street = text(random, 40);
        order.address.city = text(random, 20);
        order.history = random.longs(random.nextInt(10)).toArray();
        order.tags = list(random, 6, r -> text(r, 10));
        return order;
    }

    private static Row row(SplittableRandom random) {
        Row row = Row.withPositions(3);
        row.setField(0, random.nextLong());
        row.setField(1, text(random, 30));
        row.setField(2, random.nextDouble());
        return row;
    }

    private static RowData rowData(SplittableRandom random) {
        return GenericRowData.ofKind(
                RowKind.INSERT,
                random.nextLong(),
                StringData.fromString(text(random, 40)),
                random.nextDouble(),
                DecimalData.fromUnscaledLong(random.nextLong(1L << 30), 12, 2));
    }

    private static BinaryRowData binaryRowData(SplittableRandom random) {
        return ROW_DATA.toBinaryRow(rowData(random)).copy();
    }

    private static GenericRecord avro(SplittableRandom random) {
        GenericRecord payment = new GenericData.Record(SCHEMA);
        payment.put("payer", text(random, 30));
        payment.put("cents", random.nextLong());
        payment.put("rate", random.nextDouble());
        return payment;
    }

    private static TreeMap<String, Long> tree(SplittableRandom random) {
        return map(random, new TreeMap<>(), r -> text(r, 12), SplittableRandom::nextLong);
    }

    private static <E> List<E> list(
            SplittableRandom random, int bound, Function<SplittableRandom, E> elements) {
        List<E> list = new ArrayList<>();
        for (int i = random.nextInt(bound); i > 0; i--) {
            list.add(elements.apply(random));
        }
        return list;
    }

    private static <K, V, M extends Map<K, V>> M map(
            SplittableRandom random,
            M map,
            Function<SplittableRandom, K> keys,
            Function<SplittableRandom, V> values) {
        for (int i = random.nextInt(20); i > 0; i--) {
            map.put(keys.apply(random), values.apply(random));
        }
        return map;
    }

    static String text(SplittableRandom random, int bound) {
        int length = 1 + random.nextInt(bound);
        int base = random.nextInt(8) == 0 ? 0x4e00 : 'a';
        char[] chars = new char[length];
        for (int i = 0; i < length; i++) {
            chars[i] = (char) (base + random.nextInt(26));
        }
        return new String(chars);
    }

    private static byte[] bytes(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Mostly around the median, sometimes ten times as much. */
    private static int skewed(SplittableRandom random, int median) {
        double normal = 0;
        for (int i = 0; i < 12; i++) {
            normal += random.nextDouble();
        }
        return (int) (median * Math.exp(normal - 6));
    }
}
