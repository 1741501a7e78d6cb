/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Applies operations to a subject and to the model until they differ. */
final class ModelRun {

    /**
     * The first difference.
     *
     * @param index of the operation; the number of operations when it came up at the end
     * @param expected what the model showed
     * @param actual what the subject showed
     * @param thrown what the subject threw, else null
     */
    record Difference(
            int index, Operation operation, Object expected, Object actual, Throwable thrown) {}

    private final Scenario scenario;
    private final BackendUnderTest subject;
    private final Path directory;

    /**
     * @param directory an existing directory for local files
     */
    ModelRun(Scenario scenario, BackendUnderTest subject, Path directory) {
        this.scenario = scenario;
        this.subject = subject;
        this.directory = directory;
    }

    /** Runs the operations; what is left behind at the end counts as a difference too. */
    Optional<Difference> run(List<Operation> operations) throws Exception {
        Path own = Files.createTempDirectory(directory, "run-" + scenario.seed() + "-");
        KeyedJob job = new KeyedJob(scenario, subject, Files.createDirectory(own.resolve("s")));
        try (KeyedJob model =
                new KeyedJob(
                        scenario,
                        new HashMapUnderTest(),
                        Files.createDirectory(own.resolve("m")))) {
            for (int i = 0; i < operations.size(); i++) {
                Optional<Difference> difference = step(i, operations.get(i), job, model);
                if (difference.isPresent()) {
                    closeQuietly(job);
                    return difference;
                }
            }
            return end(operations.size(), job, model);
        }
    }

    private Optional<Difference> step(int index, Operation operation, KeyedJob job, KeyedJob model)
            throws Exception {
        Throwable thrown = null;
        Object actual;
        try {
            actual = operation.apply(job);
        } catch (Exception | AssertionError e) {
            thrown = e;
            actual = Observed.of(e);
        }
        Object expected = expected(operation, model, actual);
        return expected.equals(actual)
                ? Optional.empty()
                : Optional.of(new Difference(index, operation, expected, actual, thrown));
    }

    private static Object expected(Operation operation, KeyedJob model, Object actual) {
        try {
            return operation.replay(model, actual);
        } catch (Exception e) {
            return Observed.of(e);
        }
    }

    private Optional<Difference> end(int index, KeyedJob job, KeyedJob model) {
        try {
            String expected = model.scan();
            String actual = job.scan();
            job.close();
            return expected.equals(actual)
                    ? Optional.empty()
                    : Optional.of(new Difference(index, null, expected, actual, null));
        } catch (Exception | AssertionError e) {
            closeQuietly(job);
            return Optional.of(new Difference(index, null, "a clean end", Observed.of(e), e));
        }
    }

    /** After a difference, further trouble is not worth telling. */
    private static void closeQuietly(KeyedJob job) {
        try {
            job.close();
        } catch (Exception | AssertionError ignored) {
            return;
        }
    }
}
