/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Runs many seeds on the machine's cores and stops at the first that fails. */
final class ModelSeeds {
    private final ModelReport report;
    private final AtomicBoolean failed = new AtomicBoolean();

    ModelSeeds(BackendUnderTest subject, Path directory, int operations, long shrinkMillis) {
        this.report = new ModelReport(subject, directory, operations, shrinkMillis);
    }

    /** Returns the reports of failed seeds: none, or one and perhaps those that ran beside it. */
    List<String> run(long firstSeed, int seeds) throws Exception {
        ExecutorService runners =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            List<Future<Optional<String>>> runs = new ArrayList<>();
            for (int i = 0; i < seeds; i++) {
                long seed = firstSeed + i;
                runs.add(runners.submit(() -> run(seed)));
            }
            List<String> reports = new ArrayList<>();
            for (Future<Optional<String>> run : runs) {
                run.get().ifPresent(reports::add);
            }
            return reports;
        } finally {
            runners.shutdownNow();
        }
    }

    private Optional<String> run(long seed) throws Exception {
        if (failed.get()) {
            return Optional.empty();
        }
        Optional<String> found = report.run(seed);
        found.ifPresent(text -> failed.set(true));
        return found;
    }
}
