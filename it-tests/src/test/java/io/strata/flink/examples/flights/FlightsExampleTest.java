/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example as a whole, over the first flights of the shipped file. */
class FlightsExampleTest {

    private static final FlightJob SMALL =
            new FlightJob(FlightFile.SHIPPED, 16_000, 8_000, 2_000, false);
    private static final FlightJob GROWING =
            new FlightJob(FlightFile.SHIPPED, 16_000, 8_000, 2_000, true);

    private static final List<Backend> BACKENDS = List.of(Backend.HASHMAP, Backend.ROCKSDB);

    @TempDir private Path directory;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    @Test
    void everyBackendGivesTheSameResultsThroughAFailure() throws Exception {
        List<RunReport> reports = runAll(SMALL);

        assertThat(Verdict.on(reports).problems()).isEmpty();
        assertThat(reports.get(0).results().size()).isGreaterThan(5_000);
        assertThat(reports).allMatch(report -> report.checkpoints() > 2);
    }

    @Test
    void everyBackendGivesTheSameGrowingLedger() throws Exception {
        List<RunReport> reports = runAll(GROWING);

        assertThat(Verdict.on(reports).problems()).isEmpty();
        assertThat(reports.get(0).results().size()).isGreaterThan(50);
    }

    @Test
    void tellsAFailingJobByExitCode1() throws Exception {
        assertThat(exitCode("--backends", "hashmap", "-Dstate.backend.type=no-such-backend"))
                .isEqualTo(1);
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("no-such-backend");
    }

    @Test
    void tellsEveryWrongOptionByExitCode2() throws Exception {
        int code =
                exitCode("--flights", "/no/such/file", "--passes", "-1", "--backends", "x", "--y");

        assertThat(code).isEqualTo(2);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("--flights: cannot read /no/such/file")
                .contains("--passes needs a whole number above 0, not '-1'")
                .contains("--backends knows hashmap, rocksdb and strata, not 'x'")
                .contains("Unknown option --y")
                .contains("Usage: flights");
    }

    @Test
    void tellsAMissingValue() throws Exception {
        assertThat(exitCode("--pace")).isEqualTo(2);
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("--pace needs a value");
    }

    @Test
    void explainsItself() throws Exception {
        assertThat(exitCode("--help")).isZero();
        assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualTo(ExampleOptions.USAGE);
    }

    private int exitCode(String... arguments) throws IOException, InterruptedException {
        return FlightsExample.exitCode(out, false, arguments);
    }

    private List<RunReport> runAll(FlightJob job) throws Exception {
        List<RunReport> reports = new ArrayList<>();
        for (Backend backend : BACKENDS) {
            reports.add(run(backend.label(), JobRun.choose(backend), job));
        }
        return reports;
    }

    private RunReport run(String name, Map<String, String> backend, FlightJob job)
            throws IOException, ExecutionException, InterruptedException {
        Map<String, String> options = new HashMap<>(backend);
        options.put("execution.checkpointing.interval", "100ms");
        options.put("taskmanager.memory.managed.size", "64mb");
        options.put("state.backend.strata.hot.size", "512kb");
        Path below = Files.createDirectories(directory.resolve(name));
        return new JobRun(name, options, job, below).execute(new Progress(out, false));
    }
}
