/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules.planted.engine;

import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Looks like a planted violation and is none. */
public class Innocent {

    int seeded(long seed) {
        return new Random(seed).nextInt();
    }

    Thread named(Runnable work) {
        return new Thread(work, "name");
    }

    ExecutorService pool() {
        return Executors.newFixedThreadPool(1, this::named);
    }
}
