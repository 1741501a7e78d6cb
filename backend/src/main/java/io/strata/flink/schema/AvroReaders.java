/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.schema;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * Makes Flink's serializer of Avro's generic records read what an older one wrote.
 *
 * <p>For generated classes Flink gives a serializer that reads the older schema into the present
 * one, as Avro does it. For generic records it gives one that reads them as they were, which the
 * present one then cannot write, though Flink says that they are compatible after a migration.
 * Avro's reader inside can do it when it is told which schema is expected. flink-avro comes with
 * the job and hides its reader, so both are looked up by name.
 */
public final class AvroReaders {

    private static final String AVRO_SERIALIZER =
            "org.apache.flink.formats.avro.typeutils.AvroSerializer";

    private static final String GENERIC_RECORD = "org.apache.avro.generic.GenericRecord";

    private AvroReaders() {}

    /**
     * Returns the serializer that wrote, which from now on reads into what the present one writes.
     *
     * @param written used for nothing else
     * @throws IOException if this version of flink-avro is not as expected
     */
    public static TypeSerializer<?> reading(TypeSerializer<?> written, TypeSerializer<?> present)
            throws IOException {
        Class<?> avro = present.getClass();
        if (!avro.getName().equals(AVRO_SERIALIZER) || written.getClass() != avro) {
            return written;
        }
        try {
            Class<?> type = (Class<?>) field(avro, "type").get(present);
            if (type.getName().equals(GENERIC_RECORD)) {
                Object presentSchema = method(avro, "getAvroSchema").invoke(present);
                method(avro, "checkAvroInitialized").invoke(written);
                Object reader = field(avro, "reader").get(written);
                reader.getClass()
                        .getMethod("setExpected", method(avro, "getAvroSchema").getReturnType())
                        .invoke(reader, presentSchema);
            }
            return written;
        } catch (ReflectiveOperationException e) {
            throw new IOException(
                    "Avro records of an older schema cannot be read with this version of flink-avro: "
                            + e,
                    e);
        }
    }

    private static Method method(Class<?> owner, String name) throws NoSuchMethodException {
        Method method = owner.getDeclaredMethod(name);
        method.setAccessible(true);
        return method;
    }

    private static Field field(Class<?> owner, String name) throws NoSuchFieldException {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
}
