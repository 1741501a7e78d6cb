/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.util.HashMap;
import java.util.Map;

/**
 * What the {@link MemoryJob} is asked to do.
 *
 * @param type the kind of state
 * @param megabytes about how much of it, as serialized
 * @param valueBytes the mean size of a value, a list element or a map entry
 * @param rounds how often each key is changed
 * @param skewed whether one percent of the keys gets three of four changes
 * @param parallelism of the operator with the state
 */
record MemoryOptions(
        MemoryType type,
        long megabytes,
        int valueBytes,
        int rounds,
        boolean skewed,
        int parallelism) {

    /**
     * Reads {@code --name value} pairs; all but the type have defaults.
     *
     * @param heapBytes what {@code --heaps} is counted in
     */
    static MemoryOptions parse(long heapBytes, String... args) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i + 1 < args.length; i += 2) {
            given.put(args[i].replaceFirst("^--", ""), args[i + 1]);
        }
        MemoryType type = MemoryType.parse(given.get("type"));
        return new MemoryOptions(
                type,
                given.containsKey("heaps")
                        ? (long) (Double.parseDouble(given.get("heaps")) * heapBytes) >> 20
                        : Long.parseLong(given.getOrDefault("megabytes", "100")),
                Integer.parseInt(given.getOrDefault("value-bytes", "100")),
                Integer.parseInt(given.getOrDefault("rounds", type.grows() ? "20" : "2")),
                Boolean.parseBoolean(given.getOrDefault("skewed", "false")),
                Integer.parseInt(given.getOrDefault("parallelism", "2")));
    }

    MemoryPlan plan() {
        long stored = (megabytes << 20) / type.bytes(valueBytes);
        long keys = type.grows() ? stored / rounds / (skewed ? 4 : 1) : stored;
        long hot = MemoryPlan.HOT_PART;
        return new MemoryPlan(Math.max(1, keys / hot) * hot, rounds, skewed);
    }
}
