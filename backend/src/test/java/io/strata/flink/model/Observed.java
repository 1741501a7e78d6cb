/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Turns what a backend returned into text that can be compared and printed. */
final class Observed {
    private static final int LONGEST = 80;

    private Observed() {}

    /** Returns text that is equal for equal contents: maps sorted, long values by their hash. */
    static String of(Object value) {
        if (value instanceof byte[] bytes) {
            return "bytes[" + bytes.length + "]" + Integer.toHexString(Arrays.hashCode(bytes));
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, String> sorted = new TreeMap<>();
            map.forEach((key, mapped) -> sorted.put(of(key), of(mapped)));
            return map.size() == sorted.size() ? sorted.toString() : "ambiguous " + sorted;
        }
        if (value instanceof Iterable<?> iterable) {
            List<String> elements = new ArrayList<>();
            iterable.forEach(element -> elements.add(of(element)));
            return elements.toString();
        }
        String text = String.valueOf(value);
        return text.length() <= LONGEST
                ? text
                : text.substring(0, LONGEST) + "…" + text.length() + "#" + text.hashCode();
    }

    /** Returns an exception as an outcome: two backends may both refuse the same thing. */
    static String of(Throwable thrown) {
        return "threw " + thrown.getClass().getSimpleName();
    }
}
