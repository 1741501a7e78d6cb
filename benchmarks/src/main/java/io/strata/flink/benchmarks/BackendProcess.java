/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The other end of a {@link BackendWorker} in a JVM of its own. */
final class BackendProcess implements AutoCloseable {

    private final MeasuredBackend backend;
    private final WorkerProcess process;

    BackendProcess(
            MeasuredBackend backend,
            WorkloadOptions options,
            String clock,
            Map<String, String> flinkOptions,
            List<String> jvmOptions)
            throws IOException {
        this.backend = backend;
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("--backend", backend.label(), "--commanded", "true"));
        arguments.addAll(List.of("--clock", clock));
        arguments.addAll(Arguments.of(options));
        flinkOptions.forEach((key, value) -> arguments.add("-D" + key + "=" + value));
        process = new WorkerProcess(backend.label(), BackendWorker.class, arguments, jvmOptions);
    }

    MeasuredBackend backend() {
        return backend;
    }

    /** Loads the state of an access; returns nanoseconds an entry. */
    double load(Access access) throws IOException {
        return Double.parseDouble(process.ask("load " + access.label()));
    }

    /** Does an access so often; returns nanoseconds an operation. */
    double round(Access access, int operations) throws IOException {
        return Double.parseDouble(process.ask(access.label() + " " + operations));
    }

    /** Returns what the worker tells about itself. */
    String stats() throws IOException {
        return process.ask("stats");
    }

    @Override
    public void close() throws InterruptedException {
        process.close();
    }
}
