/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.runtime.RowSerializer;
import org.apache.flink.api.java.typeutils.runtime.TupleSerializer;
import org.apache.flink.api.java.typeutils.runtime.kryo.KryoSerializer;
import org.apache.flink.formats.avro.typeutils.AvroSerializer;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.Row;

/** Kinds whose classes are the same in all versions of the job. */
@SuppressWarnings({"unchecked", "rawtypes"}) // every kind has items of its own type
enum FixedKind implements Kind {
    /** A serializer with versions of its own, which are compatible after a migration. */
    CUSTOM {
        @Override
        public TypeSerializer<Object> serializer(int version) {
            return (TypeSerializer) new ItemSerializer(version);
        }

        @Override
        public Object item(int version, int number) {
            return customItem(version, number);
        }

        @Override
        public String expected(int written, int reader, int number) {
            return customItem(written, number).through(written, reader).toString();
        }
    },
    ROW {
        @Override
        public TypeSerializer<Object> serializer(int version) {
            return (TypeSerializer)
                    new RowSerializer(
                            new TypeSerializer[] {
                                StringSerializer.INSTANCE, new ItemSerializer(version)
                            });
        }

        @Override
        public Object item(int version, int number) {
            return Row.of("row " + number, customItem(version, number));
        }

        @Override
        public String expected(int written, int reader, int number) {
            return Row.of("row " + number, customItem(written, number).through(written, reader))
                    .toString();
        }
    },
    TUPLE {
        @Override
        public TypeSerializer<Object> serializer(int version) {
            return (TypeSerializer)
                    new TupleSerializer(
                            Tuple2.class,
                            new TypeSerializer[] {
                                StringSerializer.INSTANCE, new ItemSerializer(version)
                            });
        }

        @Override
        public Object item(int version, int number) {
            return Tuple2.of("tuple " + number, customItem(version, number));
        }

        @Override
        public String expected(int written, int reader, int number) {
            return Tuple2.of(
                            "tuple " + number, customItem(written, number).through(written, reader))
                    .toString();
        }
    },
    /** Flink SQL's rows, whose types do not change. */
    ROW_DATA {
        @Override
        public TypeSerializer<Object> serializer(int version) {
            return (TypeSerializer) new RowDataSerializer(new IntType(), VarCharType.STRING_TYPE);
        }

        @Override
        public Object item(int version, int number) {
            return GenericRowData.of(number, StringData.fromString("text " + number));
        }

        @Override
        public String view(int version, Object item) {
            RowData row = (RowData) item;
            return row.getInt(0) + " " + row.getString(1);
        }

        @Override
        public String expected(int written, int reader, int number) {
            return number + " text " + number;
        }
    },
    /** Avro's generic records: version 2 adds a field with a default, version 3 another. */
    AVRO_GENERIC {
        @Override
        public TypeSerializer<Object> serializer(int version) {
            return (TypeSerializer) new AvroSerializer<>(GenericRecord.class, schema(version));
        }

        @Override
        public Object item(int version, int number) {
            GenericRecordBuilder record = new GenericRecordBuilder(schema(version));
            record.set("id", number);
            if (version >= 2) {
                record.set("amount", 100 + number);
            }
            if (version >= 3) {
                record.set("kind", 200 + number);
            }
            return record.build();
        }

        @Override
        public String expected(int written, int reader, int number) {
            return "{\"id\": "
                    + number
                    + (reader >= 2 ? ", \"amount\": " + (written >= 2 ? 100 + number : 7) : "")
                    + (reader >= 3 ? ", \"kind\": " + (written >= 3 ? 200 + number : 9) : "")
                    + "}";
        }
    },
    /** Kryo, whose classes are registered in another order each time. */
    KRYO {
        @Override
        public TypeSerializer<Object> serializer(int version) {
            SerializerConfigImpl config = new SerializerConfigImpl();
            for (int i = 0; i < KRYO_TYPES.size(); i++) {
                config.registerKryoType(KRYO_TYPES.get((i + version) % KRYO_TYPES.size()));
            }
            return new KryoSerializer<>(Object.class, config);
        }

        @Override
        public Object item(int version, int number) {
            return switch (number % 3) {
                case 0 -> new KryoA(number);
                case 1 -> new KryoB("kryo " + number);
                default -> new KryoC(new KryoA(version));
            };
        }

        @Override
        public String expected(int written, int reader, int number) {
            return item(written, number).toString();
        }
    };

    private static final List<Class<?>> KRYO_TYPES = List.of(KryoA.class, KryoB.class, KryoC.class);

    private static Item customItem(int version, int number) {
        return new Item("name " + number, number, "note " + number).through(version, version);
    }

    private static Schema schema(int version) {
        var fields = SchemaBuilder.record("Generic").fields().requiredInt("id");
        if (version >= 2) {
            fields = fields.name("amount").type().intType().intDefault(7);
        }
        if (version >= 3) {
            fields = fields.name("kind").type().intType().intDefault(9);
        }
        return fields.endRecord();
    }

    @Override
    public String view(int version, Object item) {
        return item.toString();
    }

    /** For Kryo. */
    static final class KryoA {
        private int number;

        @SuppressWarnings("unused")
        KryoA() {}

        KryoA(int number) {
            this.number = number;
        }

        @Override
        public String toString() {
            return "A " + number;
        }
    }

    /** For Kryo. */
    static final class KryoB {
        private String text;

        @SuppressWarnings("unused")
        KryoB() {}

        KryoB(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return "B " + text;
        }
    }

    /** For Kryo. */
    static final class KryoC {
        private KryoA inner;

        @SuppressWarnings("unused")
        KryoC() {}

        KryoC(KryoA inner) {
            this.inner = inner;
        }

        @Override
        public String toString() {
            return "C " + inner;
        }
    }
}
