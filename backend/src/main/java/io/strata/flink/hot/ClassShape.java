/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.Charset;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is known of the objects of a class before one is looked at: what it takes without what its
 * fields lead to, and where those lead. Immutable; kept for each class by the JVM.
 */
final class ClassShape {

    /** How the objects of a class are walked. */
    enum Kind {
        /** One for the whole process, or none of the value's business: counts nothing. */
        SHARED,
        STRING,
        BIG_INTEGER,
        BIG_DECIMAL,
        PRIMITIVE_ARRAY,
        REFERENCE_ARRAY,
        /** By its fields. */
        FIELDS,
        /** A collection whose fields are closed or would lead through all of it in one chain. */
        COLLECTION,
        /** Likewise, a map. */
        MAP
    }

    private static final ClassValue<ClassShape> SHAPES =
            new ClassValue<>() {
                @Override
                protected ClassShape computeValue(Class<?> type) {
                    return new ClassShape(type);
                }
            };

    /** What a reference leads to that cannot be followed: a small object. */
    private static final int CLOSED_BYTES = 24;

    private static final List<Class<?>> SHARED_KINDS =
            List.of(
                    Class.class,
                    ClassLoader.class,
                    Thread.class,
                    ThreadGroup.class,
                    Enum.class,
                    Locale.class,
                    ZoneId.class,
                    Charset.class);

    /** Their entries are linked to one another: following them visits all. */
    private static final List<Class<?>> LINKED_KINDS =
            List.of(LinkedList.class, LinkedHashMap.class, TreeMap.class);

    final Kind kind;

    /** Bytes of the object itself; of an element, for arrays of primitives. */
    final int shallowBytes;

    /** The fields that lead further, all readable. */
    final Field[] references;

    /** Whether {@code size()} is cheap and says how large a value is. */
    final boolean sized;

    private ClassShape(Class<?> type) {
        List<Field> open = new ArrayList<>();
        int closed = 0;
        int referenceCount = 0;
        int primitiveBytes = 0;
        for (Field field : fields(type)) {
            if (field.getType().isPrimitive()) {
                primitiveBytes += primitiveBytes(field.getType());
            } else {
                referenceCount++;
                if (isOpen(field)) {
                    open.add(field);
                } else {
                    closed++;
                }
            }
        }
        kind = kind(type, closed > 0);
        sized = isOfJdk(type) && isContainer(type) && !isConcurrent(type);
        references = kind == Kind.FIELDS ? open.toArray(Field[]::new) : new Field[0];
        shallowBytes = shallowBytes(type, referenceCount, primitiveBytes, closed);
    }

    static ClassShape of(Class<?> type) {
        return SHAPES.get(type);
    }

    private int shallowBytes(Class<?> type, int referenceCount, int primitiveBytes, int closed) {
        if (kind == Kind.PRIMITIVE_ARRAY) {
            return primitiveBytes(type.getComponentType());
        }
        int further = kind == Kind.FIELDS ? closed * CLOSED_BYTES : 0;
        return (int) HeapLayout.CURRENT.objectBytes(referenceCount, primitiveBytes) + further;
    }

    private static Kind kind(Class<?> type, boolean closed) {
        if (type.isArray()) {
            return type.getComponentType().isPrimitive()
                    ? Kind.PRIMITIVE_ARRAY
                    : Kind.REFERENCE_ARRAY;
        }
        if (isAnyOf(type, SHARED_KINDS)) {
            return Kind.SHARED;
        }
        if (type == String.class) {
            return Kind.STRING;
        }
        if (type == BigInteger.class) {
            return Kind.BIG_INTEGER;
        }
        if (type == BigDecimal.class) {
            return Kind.BIG_DECIMAL;
        }
        if (isContainer(type) && (closed || isAnyOf(type, LINKED_KINDS))) {
            return Map.class.isAssignableFrom(type) ? Kind.MAP : Kind.COLLECTION;
        }
        return Kind.FIELDS;
    }

    private static boolean isAnyOf(Class<?> type, List<Class<?>> kinds) {
        return kinds.stream().anyMatch(kind -> kind.isAssignableFrom(type));
    }

    private static boolean isContainer(Class<?> type) {
        return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
    }

    private static boolean isOfJdk(Class<?> type) {
        return type.getClassLoader() == null;
    }

    /** Some of these count their elements when they are asked for the size. */
    private static boolean isConcurrent(Class<?> type) {
        return type.getPackageName().startsWith("java.util.concurrent");
    }

    private static List<Field> fields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> t = type; t != null; t = t.getSuperclass()) {
            try {
                for (Field field : t.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        fields.add(field);
                    }
                }
            } catch (LinkageError e) {
                return fields; // a class that a field names is missing: the job does without it
            }
        }
        return fields;
    }

    private static boolean isOpen(Field field) {
        try {
            return field.trySetAccessible();
        } catch (RuntimeException e) {
            return false;
        }
    }

    private static int primitiveBytes(Class<?> type) {
        if (type == long.class || type == double.class) {
            return Long.BYTES;
        }
        if (type == int.class || type == float.class) {
            return Integer.BYTES;
        }
        return type == short.class || type == char.class ? Short.BYTES : 1;
    }
}
