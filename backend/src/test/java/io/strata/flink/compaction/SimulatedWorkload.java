/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import java.util.Arrays;
import java.util.Random;
import java.util.TreeMap;

/** What the flushes of a simulated state hold. */
interface SimulatedWorkload {

    int PUT_BYTES = 120;
    int DELETE_BYTES = 20;

    /** Returns the next flush. */
    SimulatedRun flush(int number, Random random);

    /** Returns the state to begin with: a run, possibly empty. */
    SimulatedRun start();

    /** Returns one more than the largest key there will be. */
    int keyBound();

    /** Returns true when every record is an APPEND. */
    default boolean appends() {
        return false;
    }

    /** Every flush updates {@code flushKeys} keys of a state {@code times} as large. */
    static SimulatedWorkload uniform(int times, int flushKeys) {
        return updates(times * flushKeys, (number, random) -> flushKeys, 1);
    }

    /** Of ten flushes nine are of frequent checkpoints and a fiftieth as large. */
    static SimulatedWorkload tinyAmongLarge(int times, int flushKeys) {
        return updates(
                times * flushKeys,
                (number, random) -> number % 10 == 0 ? flushKeys : Math.max(1, flushKeys / 50),
                1);
    }

    /** Flush sizes spread evenly over two factors of ten on a logarithmic scale. */
    static SimulatedWorkload varying(int times, int flushKeys) {
        return updates(
                times * flushKeys,
                (number, random) ->
                        Math.max(1, (int) (flushKeys * Math.pow(10, -2 * random.nextDouble()))),
                1);
    }

    /** Keys are drawn as the fourth power of a uniform number: a tenth gets over half. */
    static SimulatedWorkload skewed(int times, int flushKeys) {
        return updates(times * flushKeys, (number, random) -> flushKeys, 4);
    }

    /** Nothing but new keys, from an empty state on. */
    static SimulatedWorkload growing(int flushes, int flushKeys) {
        return new Keyed(0, flushes * flushKeys) {
            @Override
            public SimulatedRun flush(int number, Random random) {
                TreeMap<Integer, Integer> records = new TreeMap<>();
                for (int i = 0; i < flushKeys; i++) {
                    records.put(number * flushKeys + i, PUT_BYTES);
                }
                return run(records);
            }
        };
    }

    /** Nothing but APPENDs to a fixed set of keys: what was written is never superseded. */
    static SimulatedWorkload appending(int keys, int flushKeys) {
        return new Keyed(0, keys) {
            @Override
            public SimulatedRun flush(int number, Random random) {
                return run(draw(keys, flushKeys, 1, random));
            }

            @Override
            public boolean appends() {
                return true;
            }
        };
    }

    /** Half of each flush are deletes; in turn the state shrinks to a quarter and grows back. */
    static SimulatedWorkload deleting(int times, int flushKeys) {
        int keys = times * flushKeys;
        return new Keyed(keys, keys) {
            @Override
            public SimulatedRun flush(int number, Random random) {
                boolean shrinking = number / (2 * times) % 2 == 0;
                int deletedOfFour = shrinking ? 3 : 1;
                TreeMap<Integer, Integer> records = draw(keys, flushKeys, 1, random);
                records.replaceAll(
                        (key, size) -> random.nextInt(4) < deletedOfFour ? -DELETE_BYTES : size);
                return run(records);
            }
        };
    }

    /** Windows: keys are new, and deleted {@code lifetime} flushes later. */
    static SimulatedWorkload windows(int lifetime, int flushKeys, int flushes) {
        return new Keyed(0, flushes * flushKeys) {
            @Override
            public SimulatedRun flush(int number, Random random) {
                TreeMap<Integer, Integer> records = new TreeMap<>();
                for (int i = 0; i < flushKeys; i++) {
                    records.put(number * flushKeys + i, PUT_BYTES);
                    if (number >= lifetime) {
                        records.put((number - lifetime) * flushKeys + i, -DELETE_BYTES);
                    }
                }
                return run(records);
            }
        };
    }

    private static SimulatedWorkload updates(int keys, FlushSize flushSize, int skew) {
        return new Keyed(keys, keys) {
            @Override
            public SimulatedRun flush(int number, Random random) {
                return run(draw(keys, flushSize.keys(number, random), skew, random));
            }
        };
    }

    /** How many keys a flush has. */
    interface FlushSize {
        int keys(int number, Random random);
    }

    /** A workload over a dense range of keys, of which the first {@code startKeys} exist. */
    abstract class Keyed implements SimulatedWorkload {

        private final int startKeys;
        private final int keyBound;

        Keyed(int startKeys, int keyBound) {
            this.startKeys = startKeys;
            this.keyBound = keyBound;
        }

        @Override
        public SimulatedRun start() {
            int[] keys = new int[startKeys];
            Arrays.setAll(keys, i -> i);
            int[] sizes = new int[startKeys];
            Arrays.fill(sizes, PUT_BYTES);
            return new SimulatedRun(keys, sizes);
        }

        @Override
        public int keyBound() {
            return keyBound;
        }

        /** Draws distinct keys; {@code skew} 1 is uniform, more prefers small keys. */
        static TreeMap<Integer, Integer> draw(int keys, int count, int skew, Random random) {
            TreeMap<Integer, Integer> records = new TreeMap<>();
            if (count == keys) {
                for (int key = 0; key < keys; key++) {
                    records.put(key, PUT_BYTES);
                }
            }
            while (records.size() < count) {
                records.put((int) (keys * Math.pow(random.nextDouble(), skew)), PUT_BYTES);
            }
            return records;
        }

        static SimulatedRun run(TreeMap<Integer, Integer> records) {
            return new SimulatedRun(
                    records.keySet().stream().mapToInt(Integer::intValue).toArray(),
                    records.values().stream().mapToInt(Integer::intValue).toArray());
        }
    }
}
