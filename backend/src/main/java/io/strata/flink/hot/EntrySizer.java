/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * An estimate of the heap bytes of the values of one state. Exact for byte arrays, strings and
 * boxed primitives; for other classes it is learned from serialized lengths. Task thread only.
 *
 * <p>The formulas hold for 64-bit HotSpot with compressed references and 8-byte alignment.
 */
public final class EntrySizer {

    private static final int ARRAY_HEADER_BYTES = 16;
    private static final int STRING_BYTES = 24;
    private static final int SAMPLED_CHARS = 16;

    /** An object tree takes about this many times its serialized length, plus one header. */
    private static final int HEAP_PER_SERIALIZED = 3;

    private static final int OBJECT_BYTES = 16;
    private static final int UNKNOWN_BYTES = 64;
    private static final int WEIGHT_SHIFT = 4;

    private final int fixedBytes;

    /** Mean serialized length of recent values times 16; negative while none was seen. */
    private long scaledMean = -1;

    private EntrySizer(int fixedBytes) {
        this.fixedBytes = fixedBytes;
    }

    /** A sizer that looks at each value and learns about classes that it does not know. */
    public static EntrySizer adaptive() {
        return new EntrySizer(-1);
    }

    /**
     * A sizer for values that all take the same.
     *
     * @param heapBytes heap bytes of each value
     */
    public static EntrySizer fixed(int heapBytes) {
        if (heapBytes < 0) {
            throw new IllegalArgumentException("Negative heapBytes: " + heapBytes);
        }
        return new EntrySizer(heapBytes);
    }

    /** The heap bytes of {@code value}, 0 for null. */
    public long sizeBytes(Object value) {
        if (value == null) {
            return 0;
        }
        if (fixedBytes >= 0) {
            return fixedBytes;
        }
        if (value instanceof byte[] bytes) {
            return align(ARRAY_HEADER_BYTES + (long) bytes.length);
        }
        if (value instanceof String string) {
            return STRING_BYTES + align(ARRAY_HEADER_BYTES + stringBytes(string));
        }
        if (value instanceof Long || value instanceof Double) {
            return 24;
        }
        if (value instanceof Number || value instanceof Boolean || value instanceof Character) {
            return 16;
        }
        return learnedBytes();
    }

    /**
     * Tells the serialized length of a value, whenever one was encoded or decoded anyway.
     *
     * @param serializedBytes its length
     */
    public void observe(long serializedBytes) {
        long scaled = serializedBytes << WEIGHT_SHIFT;
        scaledMean = scaledMean < 0 ? scaled : scaledMean + ((scaled - scaledMean) >> WEIGHT_SHIFT);
    }

    private long learnedBytes() {
        return scaledMean < 0
                ? UNKNOWN_BYTES
                : align(OBJECT_BYTES + ((scaledMean * HEAP_PER_SERIALIZED) >>> WEIGHT_SHIFT));
    }

    /** One byte a character if the first ones are Latin-1, two otherwise. */
    private static long stringBytes(String string) {
        int sampled = Math.min(string.length(), SAMPLED_CHARS);
        for (int i = 0; i < sampled; i++) {
            if (string.charAt(i) > 0xFF) {
                return 2L * string.length();
            }
        }
        return string.length();
    }

    static long align(long bytes) {
        return (bytes + 7) & ~7L;
    }
}
