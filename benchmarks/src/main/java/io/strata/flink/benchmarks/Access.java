/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.util.Arrays;
import java.util.Locale;

/** The accesses to keyed state that are measured. */
public enum Access {
    VALUE_GET(Kind.VALUE, false),
    VALUE_UPDATE(Kind.VALUE, true),
    MAP_GET(Kind.MAP, false),
    MAP_PUT(Kind.MAP, true),
    LIST_GET(Kind.LIST, false),
    LIST_APPEND(Kind.LIST, true);

    /** The kinds of state. */
    enum Kind {
        VALUE,
        MAP,
        LIST
    }

    private final Kind kind;
    private final boolean writes;

    Access(Kind kind, boolean writes) {
        this.kind = kind;
        this.writes = writes;
    }

    /** The kind of state that it goes to. */
    Kind kind() {
        return kind;
    }

    boolean writes() {
        return writes;
    }

    /** The name in options and tables, as {@code value-get}. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Finds an access by its name.
     *
     * @throws IllegalArgumentException naming the accesses that there are
     */
    static Access of(String label) {
        return Arrays.stream(values())
                .filter(access -> access.label().equals(label))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "Access '"
                                                + label
                                                + "': value-get, value-update, map-get, map-put,"
                                                + " list-get or list-append"));
    }
}
