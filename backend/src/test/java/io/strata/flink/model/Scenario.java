/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Everything that one seed decides but the operations themselves.
 *
 * @param states the states that the job uses, at least two
 * @param keys how many keys there are
 * @param namespaces how many namespaces each state with namespaces has
 */
record Scenario(
        long seed,
        KeyType keyType,
        int maxParallelism,
        int parallelism,
        List<StateSpec> states,
        int keys,
        int namespaces) {

    private static final int[] KEYS = {3, 25, 100, 400};

    /** What one seed decides independently of each other. */
    enum Aspect {
        JOB,
        OPTIONS,
        OPERATIONS
    }

    /**
     * Returns a source of numbers for one aspect of a seed. The seed is mixed first: the first
     * numbers of {@link Random} hardly differ for neighbouring seeds.
     */
    static Random random(long seed, Aspect aspect) {
        long mixed = (seed * Aspect.values().length + aspect.ordinal()) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        return new Random(mixed ^ (mixed >>> 32));
    }

    static Scenario draw(long seed) {
        Random random = random(seed, Aspect.JOB);
        List<StateSpec> states = new ArrayList<>(StateSpec.ALL);
        Collections.shuffle(states, random);
        return new Scenario(
                seed,
                KeyType.values()[random.nextInt(KeyType.values().length)],
                random.nextInt(6) == 0 ? 200 : 16,
                1 + random.nextInt(3),
                List.copyOf(states.subList(0, 2 + random.nextInt(states.size() - 1))),
                KEYS[random.nextInt(KEYS.length)],
                1 + random.nextInt(4));
    }

    /** Returns the subject's options: the same ones whenever it is asked. */
    BackendUnderTest.Options optionsOf(BackendUnderTest subject) {
        return subject.draw(random(seed, Aspect.OPTIONS));
    }
}
