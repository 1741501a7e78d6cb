/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Map;

/**
 * An estimate of the heap bytes of the values of one state. Task thread only.
 *
 * <p>Strings, boxed numbers and arrays of primitives are known exactly at no cost. Of anything else
 * a sample is measured by a {@link FootprintWalk}, and the others are taken for like it: as many
 * bytes a value; for collections and maps of the JDK and for arrays, as many bytes an element; for
 * values that were just decoded, as many bytes a serialized byte. The first values are all
 * measured, later ones so seldom that a walk costs a few nanoseconds a value on average.
 */
public final class EntrySizer {

    /** Values that are measured before measuring gets seldom. */
    private static final int FIRST_SAMPLES = 16;

    private static final int MIN_VALUES_BETWEEN = 48;

    /** Values that pass without a walk for each object that the last walk visited. */
    private static final int VALUES_PER_VISITED_OBJECT = 8;

    /** About what a collection takes that has no elements. */
    private static final int EMPTY_COLLECTION_BYTES = 64;

    /** What {@link #elements} says of values that have none, being no collections. */
    private static final int SINGLE = -1;

    /** What a value takes beside what is in proportion to its serialized length. */
    private static final int EMPTY_SERIALIZED_BYTES = 8;

    private static final int UNKNOWN_BYTES_PER_SERIALIZED = 4;
    private static final int SAMPLED_CHARS = 16;
    private static final HeapLayout LAYOUT = HeapLayout.CURRENT;
    private static final int STRING_BYTES = (int) LAYOUT.objectBytes(1, 6);
    private static final int LONG_BYTES = (int) LAYOUT.objectBytes(0, Long.BYTES);
    private static final int INTEGER_BYTES = (int) LAYOUT.objectBytes(0, Integer.BYTES);

    private final int divisor;
    private final LearnedRatio bytesPerElement = new LearnedRatio();
    private final LearnedRatio bytesPerSerialized = new LearnedRatio();
    private FootprintWalk walk;
    private int valuesToPass;
    private int loadsToPass;

    /**
     * A sizer that has seen no value.
     *
     * @param divisor 1; for tests, how many times too small each estimate shall be
     */
    public EntrySizer(int divisor) {
        if (divisor < 1) {
            throw new IllegalArgumentException("divisor: " + divisor);
        }
        this.divisor = divisor;
    }

    /** The heap bytes of a value on its own, 0 for null. */
    public long sizeBytes(Object value) {
        return sizeBytes(value, value, value);
    }

    /**
     * The heap bytes of a value, 0 for null.
     *
     * @param key with {@code namespace}, tells the entry of the value from others
     */
    public long sizeBytes(Object key, Object namespace, Object value) {
        long exact = exactBytes(value);
        if (exact >= 0) {
            return scaled(exact);
        }
        int elements = elements(value);
        int fixedBytes = elements == SINGLE ? 0 : EMPTY_COLLECTION_BYTES;
        int factor = elements == SINGLE ? 1 : elements;
        if (--valuesToPass < 0) {
            long bytes = measure(key, namespace, value);
            valuesToPass = pause(bytesPerElement.pairs());
            bytesPerElement.add(Math.max(0, bytes - fixedBytes), factor);
        }
        return scaled(aligned(fixedBytes + bytesPerElement.get() * factor));
    }

    /**
     * The heap bytes of a value that was just decoded.
     *
     * @param serializedBytes the length of what it was decoded from
     */
    public long decodedBytes(Object key, Object namespace, Object value, long serializedBytes) {
        long exact = exactBytes(value);
        if (exact >= 0) {
            return scaled(exact);
        }
        if (--loadsToPass < 0) {
            long bytes = measure(key, namespace, value);
            loadsToPass = pause(bytesPerSerialized.pairs());
            bytesPerSerialized.add(bytes, serializedBytes + EMPTY_SERIALIZED_BYTES);
        }
        return expectedBytes(serializedBytes);
    }

    /** Learns from values, decoded together, whose heap bytes were told by this sizer. */
    public void learnDecoded(long heapBytes, long serializedBytes) {
        bytesPerSerialized.add(
                (double) heapBytes * divisor, serializedBytes + EMPTY_SERIALIZED_BYTES);
    }

    /** The heap bytes that values of such a serialized length are likely to take when decoded. */
    public long expectedBytes(long serializedBytes) {
        double ratio =
                bytesPerSerialized.pairs() == 0
                        ? UNKNOWN_BYTES_PER_SERIALIZED
                        : bytesPerSerialized.get();
        return scaled(aligned(ratio * (serializedBytes + EMPTY_SERIALIZED_BYTES)));
    }

    private long measure(Object key, Object namespace, Object value) {
        if (walk == null) {
            walk = new FootprintWalk();
        }
        int entry =
                key == value
                        ? System.identityHashCode(value)
                        : HotHash.of(key) * 31 + HotHash.of(namespace);
        return walk.measure(value, entry);
    }

    private int pause(int samples) {
        return samples < FIRST_SAMPLES
                ? 0
                : Math.max(MIN_VALUES_BETWEEN, VALUES_PER_VISITED_OBJECT * walk.visited());
    }

    private static int elements(Object value) {
        ClassShape shape = ClassShape.of(value.getClass());
        if (shape.kind == ClassShape.Kind.REFERENCE_ARRAY) {
            return ((Object[]) value).length;
        }
        if (!shape.sized) {
            return SINGLE;
        }
        return value instanceof Map<?, ?> map ? map.size() : ((Collection<?>) value).size();
    }

    private long scaled(long bytes) {
        return divisor == 1 ? bytes : align(bytes / divisor);
    }

    private static long aligned(double bytes) {
        return align((long) Math.ceil(bytes));
    }

    /** The heap bytes of a value of a simple class; negative for others. */
    static long exactBytes(Object value) {
        if (value == null) {
            return 0;
        }
        if (value instanceof byte[] bytes) {
            return LAYOUT.arrayBytes(bytes.length, 1);
        }
        if (value instanceof String string) {
            return stringBytes(string);
        }
        if (value instanceof Long || value instanceof Double) {
            return LONG_BYTES;
        }
        if (value instanceof Integer
                || value instanceof Float
                || value instanceof Short
                || value instanceof Byte
                || value instanceof Boolean
                || value instanceof Character) {
            return INTEGER_BYTES;
        }
        if (value.getClass().isArray()) {
            ClassShape shape = ClassShape.of(value.getClass());
            if (shape.kind == ClassShape.Kind.PRIMITIVE_ARRAY) {
                return LAYOUT.arrayBytes(Array.getLength(value), shape.shallowBytes);
            }
        }
        return -1;
    }

    /** One byte a character if the first ones are Latin-1, two otherwise. */
    static long stringBytes(String string) {
        int length = string.length();
        int sampled = Math.min(length, SAMPLED_CHARS);
        for (int i = 0; i < sampled; i++) {
            if (string.charAt(i) > 0xFF) {
                return STRING_BYTES + LAYOUT.arrayBytes(length, Character.BYTES);
            }
        }
        return STRING_BYTES + LAYOUT.arrayBytes(length, 1);
    }

    /** Whether an object is one that the JVM keeps for its number. */
    @SuppressWarnings("ReferenceEquality") // which object it is, is the question
    static boolean isCached(Object object) {
        if (object instanceof Integer number) {
            return object == (Object) Integer.valueOf(number);
        }
        if (object instanceof Long number) {
            return object == (Object) Long.valueOf(number);
        }
        if (object instanceof Short number) {
            return object == (Object) Short.valueOf(number);
        }
        if (object instanceof Character character) {
            return object == (Object) Character.valueOf(character);
        }
        return object instanceof Boolean || object instanceof Byte;
    }

    static long align(long bytes) {
        return (bytes + 7) & ~7L;
    }
}
