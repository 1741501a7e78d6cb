/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.util.TemporaryClassLoaderContext;

/** A POJO with a nested one: version 2 adds a field, version 3 another and removes one. */
final class PojoKind implements Kind {

    private static final String ADDRESS =
            "public class Address { public String city; public Address() {} }";

    /** Of a generic type that contains an order, for {@link HintKind}. */
    private static final String HINT =
            "public class Hint extends %s<%s<String, Order>> {}"
                    .formatted(TypeHint.class.getName(), Tuple2.class.getName());

    private static final List<String> FIELDS =
            List.of(
                    "public String id; public int amount; public Address address;",
                    "public String id; public int amount; public Address address; public long time;",
                    "public String id; public Address address; public long time; public String note;");

    private final ClassLoader[] versions = new ClassLoader[VERSIONS + 1];

    PojoKind(Path directory) {
        for (int version = 1; version <= VERSIONS; version++) {
            String order =
                    "public class Order { %s public Order() {} }"
                            .formatted(FIELDS.get(version - 1));
            versions[version] =
                    CompiledClasses.of(
                            directory.resolve("v" + version),
                            Map.of("Order", order, "Address", ADDRESS, "Hint", HINT),
                            TypeHint.class,
                            Tuple2.class);
        }
    }

    @Override
    public ClassLoader classes(int version) {
        return versions[version];
    }

    @Override
    @SuppressWarnings("unchecked")
    public TypeSerializer<Object> serializer(int version) throws Exception {
        try (TemporaryClassLoaderContext ignored =
                TemporaryClassLoaderContext.of(versions[version])) {
            return (TypeSerializer<Object>)
                    TypeInformation.of(versions[version].loadClass("jobs.Order"))
                            .createSerializer(new SerializerConfigImpl());
        }
    }

    @Override
    public Object item(int version, int number) throws Exception {
        Object address = create(version, "jobs.Address");
        set(address, "city", "city " + number);
        Object order = create(version, "jobs.Order");
        set(order, "id", "id " + number);
        set(order, "address", address);
        if (version <= 2) {
            set(order, "amount", number);
        }
        if (version >= 2) {
            set(order, "time", 100L + number);
        }
        if (version >= 3) {
            set(order, "note", "note " + number);
        }
        return order;
    }

    private Object create(int version, String name) throws Exception {
        return versions[version].loadClass(name).getConstructor().newInstance();
    }

    private static void set(Object object, String field, Object value) throws Exception {
        object.getClass().getField(field).set(object, value);
    }

    private static Object get(Object object, String field) throws Exception {
        return object.getClass().getField(field).get(object);
    }

    @Override
    public String view(int version, Object order) throws Exception {
        return words(
                version,
                get(order, "id"),
                get(get(order, "address"), "city"),
                version <= 2 ? get(order, "amount") : null,
                version >= 2 ? get(order, "time") : null,
                version >= 3 ? get(order, "note") : null);
    }

    @Override
    public String expected(int written, int reader, int number) {
        return words(
                reader,
                "id " + number,
                "city " + number,
                number,
                written >= 2 ? 100L + number : 0L,
                written >= 3 ? "note " + number : null);
    }

    private static String words(
            int version, Object id, Object city, Object amount, Object time, Object note) {
        return id
                + ", "
                + city
                + (version <= 2 ? ", amount " + amount : "")
                + (version >= 2 ? ", time " + time : "")
                + (version >= 3 ? ", " + note : "");
    }
}
