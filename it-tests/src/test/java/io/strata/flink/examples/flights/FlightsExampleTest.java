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
            new FlightJob(FlightFile.SHIPPED, 12_000, 6_000, 1_500, false);
    private static final FlightJob GROWING =
            new FlightJob(FlightFile.SHIPPED, 12_000, 6_000, 1_500, true);

    @TempDir private Path directory;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

    @Test
    void everyBackendGivesTheSameResultsThroughAFailure() throws Exception {
        List<RunReport> reports = new ArrayList<>();
        for (Backend backend : Backend.values()) {
            reports.add(run(backend.label(), JobRun.choose(backend), SMALL));
        }

        assertThat(Verdict.on(reports).problems()).isEmpty();
        assertThat(reports.get(0).results().size()).isGreaterThan(5_000);
        assertThat(reports).allMatch(report -> report.checkpoints() > 2);
        Tiers tiers = reports.get(Backend.STRATA.ordinal()).tiers().orElseThrow();
        assertThat(tiers.coldRecords()).isGreaterThan(tiers.hotEntries());
    }

    @Test
    void theOlderOptionChoosesTheBackendToo() throws Exception {
        Map<String, String> older = Map.of("state.backend", Backend.STRATA.type());
        List<RunReport> reports =
                List.of(
                        run("hashmap", JobRun.choose(Backend.HASHMAP), GROWING),
                        run("strata", older, GROWING));

        assertThat(Verdict.on(reports).problems()).isEmpty();
        assertThat(reports.get(0).results().size()).isGreaterThan(50);
        assertThat(reports.get(0).tiers()).isEmpty();
        assertThat(reports.get(1).tiers()).isPresent();
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

    private RunReport run(String name, Map<String, String> backend, FlightJob job)
            throws IOException, ExecutionException, InterruptedException {
        Map<String, String> options = new HashMap<>(backend);
        options.put("execution.checkpointing.interval", "100ms");
        options.put("taskmanager.memory.managed.size", "64mb");
        options.put("state.backend.strata.hot.size", "256kb");
        Path below = Files.createDirectories(directory.resolve(name));
        return new JobRun(name, options, job, below).execute(new Progress(out, false));
    }
}
