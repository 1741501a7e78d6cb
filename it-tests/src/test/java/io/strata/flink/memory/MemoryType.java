/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.util.Locale;
import java.util.function.IntFunction;

/** The kinds of state that the {@link MemoryJob} can be asked for. */
enum MemoryType {
    LONG(96, b -> new ValueWorkload<>(Contents.longs())),
    STRING(28, b -> new ValueWorkload<>(Contents.strings(b))),
    POJO(50, b -> new ValueWorkload<>(Contents.pojos(b))),
    NESTED(120, b -> new ValueWorkload<>(Contents.nested(b))),
    BYTES(26, b -> new ValueWorkload<>(Contents.bytes(b))),
    ROW(56, b -> new ValueWorkload<>(Contents.rows(b))),
    KRYO(60, b -> new ValueWorkload<>(Contents.kryo(b))),
    LIST(3, GrowingList::new),
    MAP(35, GrowingMap::new),
    ONE_MAP(35, OneMap::new),
    ONE_LIST(3, OneList::new),
    STATES(28, ManyStates::new),
    ALL(60, AllTypes::new);

    private final int overheadBytes;
    private final IntFunction<Workload> workload;

    MemoryType(int overheadBytes, IntFunction<Workload> workload) {
        this.overheadBytes = overheadBytes;
        this.workload = workload;
    }

    static MemoryType parse(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** Whether every change adds to the state instead of replacing it. */
    boolean grows() {
        return this == LIST || this == MAP || this == ONE_LIST;
    }

    Workload workload(int valueBytes) {
        return workload.apply(valueBytes);
    }

    /** Returns about how many bytes one change leaves in the cold tier. */
    int bytes(int valueBytes) {
        return overheadBytes + (this == LONG ? 0 : valueBytes);
    }
}
