/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.EnumSerializer;

/** An enum: version 2 adds a constant behind the others, version 3 one before them. */
final class EnumKind implements Kind {

    private static final List<String> CONSTANTS =
            List.of("RED, GREEN, BLUE", "RED, GREEN, BLUE, GOLD", "WHITE, RED, GREEN, BLUE, GOLD");

    private final ClassLoader[] versions = new ClassLoader[VERSIONS + 1];

    EnumKind(Path directory) {
        for (int version = 1; version <= VERSIONS; version++) {
            versions[version] =
                    CompiledClasses.of(
                            directory.resolve("v" + version),
                            Map.of(
                                    "Color",
                                    "public enum Color { %s }"
                                            .formatted(CONSTANTS.get(version - 1))));
        }
    }

    @Override
    public ClassLoader classes(int version) {
        return versions[version];
    }

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    public TypeSerializer<Object> serializer(int version) throws Exception {
        return new EnumSerializer(versions[version].loadClass("jobs.Color"));
    }

    @Override
    public Object item(int version, int number) throws Exception {
        return named(version, name(version, number));
    }

    /** Returns a constant of a version. */
    Object named(int version, String name) throws Exception {
        Object[] constants = versions[version].loadClass("jobs.Color").getEnumConstants();
        for (Object constant : constants) {
            if (constant.toString().equals(name)) {
                return constant;
            }
        }
        throw new IllegalStateException("no constant " + name);
    }

    private static String name(int version, int number) {
        String[] names = CONSTANTS.get(version - 1).split(", ", -1);
        return names[number % names.length];
    }

    @Override
    public String view(int version, Object color) {
        return color.toString();
    }

    @Override
    public String expected(int written, int reader, int number) {
        return name(written, number);
    }
}
