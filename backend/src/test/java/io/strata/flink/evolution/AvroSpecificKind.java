/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.formats.avro.typeutils.AvroSerializer;
import org.apache.flink.util.TemporaryClassLoaderContext;

/**
 * A class as Avro generates it: version 2 adds a field with a default, version 3 another, before
 * the others.
 */
final class AvroSpecificKind implements Kind {

    private static final String ID = "{\\\"name\\\":\\\"id\\\",\\\"type\\\":\\\"long\\\"}";
    private static final String AMOUNT =
            "{\\\"name\\\":\\\"amount\\\",\\\"type\\\":\\\"int\\\",\\\"default\\\":7}";
    private static final String KIND =
            "{\\\"name\\\":\\\"kind\\\",\\\"type\\\":\\\"int\\\",\\\"default\\\":9}";

    private static final List<String> FIELDS =
            List.of(ID, ID + "," + AMOUNT, KIND + "," + ID + "," + AMOUNT);

    private static final String SOURCE =
            """
            public class Trade extends org.apache.avro.specific.SpecificRecordBase {
                public static final org.apache.avro.Schema SCHEMA$ =
                        new org.apache.avro.Schema.Parser().parse(
                                "{\\"type\\":\\"record\\",\\"name\\":\\"Trade\\",\\"namespace\\":\\"jobs\\",\\"fields\\":[%s]}");
                private final Object[] fields = new Object[SCHEMA$.getFields().size()];
                public Trade() {}
                public org.apache.avro.Schema getSchema() { return SCHEMA$; }
                public Object get(int field) { return fields[field]; }
                public void put(int field, Object value) { fields[field] = value; }
            }
            """;

    private final ClassLoader[] versions = new ClassLoader[VERSIONS + 1];

    AvroSpecificKind(Path directory) {
        for (int version = 1; version <= VERSIONS; version++) {
            versions[version] =
                    CompiledClasses.of(
                            directory.resolve("v" + version),
                            Map.of("Trade", SOURCE.formatted(FIELDS.get(version - 1))),
                            SpecificRecord.class);
        }
    }

    @Override
    public ClassLoader classes(int version) {
        return versions[version];
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    public TypeSerializer<Object> serializer(int version) throws Exception {
        try (TemporaryClassLoaderContext ignored =
                TemporaryClassLoaderContext.of(versions[version])) {
            return new AvroSerializer(versions[version].loadClass("jobs.Trade"));
        }
    }

    @Override
    public Object item(int version, int number) throws Exception {
        SpecificRecord trade =
                (SpecificRecord)
                        versions[version].loadClass("jobs.Trade").getConstructor().newInstance();
        put(trade, "id", (long) number);
        put(trade, "amount", 100 + number);
        put(trade, "kind", 200 + number);
        return trade;
    }

    private static void put(SpecificRecord trade, String field, Object value) {
        if (trade.getSchema().getField(field) != null) {
            trade.put(trade.getSchema().getField(field).pos(), value);
        }
    }

    private static Object get(SpecificRecord trade, String field) {
        return trade.getSchema().getField(field) == null
                ? "-"
                : trade.get(trade.getSchema().getField(field).pos());
    }

    @Override
    public String view(int version, Object item) {
        SpecificRecord trade = (SpecificRecord) item;
        return get(trade, "id") + " " + get(trade, "amount") + " " + get(trade, "kind");
    }

    @Override
    public String expected(int written, int reader, int number) {
        Object amount = reader < 2 ? "-" : written < 2 ? 7 : 100 + number;
        Object kind = reader < 3 ? "-" : written < 3 ? 9 : 200 + number;
        return number + " " + amount + " " + kind;
    }
}
