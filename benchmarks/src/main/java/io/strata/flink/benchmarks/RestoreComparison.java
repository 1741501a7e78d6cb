/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.util.FileUtils;

/**
 * Compares how fast a task is restored from an incremental checkpoint in a local directory, at the
 * same parallelism and rescaled: one JVM for each contender, measured in turn.
 *
 * <p>What has to be read lies in the kernel's cache, so the numbers are the work that a restore
 * does, not the speed of a disk or a network. A lazy restore cannot hide what it puts off: random
 * reads right after it are measured too.
 */
public final class RestoreComparison {

    private static final String USAGE =
            """
            Usage: RestoreComparison [options] [-Dkey=value of Flink]

              --contenders A,B         of rocksdb, rocksdb-ingest (use-ingest-db-restore-mode),
                                       strata (default all; ratios are to the last)
              --megabytes N            state of the operator, in values (default 256)
              --value-bytes N          random bytes (default 1000)
              --gets N                 random reads after the restore (default 100000)
              --schema same|changed    whether the restored job has another type of values, which
                                       needs a migration (default same)
              --hot-mib N              Strata's hot tier (default 256)
              --managed-mib N          managed memory: RocksDB's cache and buffers, Strata's
                                       page cache (default 512)
              --heap-mib N             maximum heap of each JVM (default 2048)
              --rounds N, --warmup N   measured rounds, rounds before (default 3, 1)
              --clock wall|cpu         time, or processor time of all threads
              --directory PATH         where checkpoints and local files go (default: the
                                       directory for temporary files); about 6 times the state
            """;

    private static final List<String> KNOWN =
            List.of(
                    "--contenders",
                    "--megabytes",
                    "--value-bytes",
                    "--gets",
                    "--schema",
                    "--hot-mib",
                    "--managed-mib",
                    "--heap-mib",
                    "--rounds",
                    "--warmup",
                    "--clock",
                    "--directory");

    private static final int DEFAULT_GETS = 100_000;

    private final Arguments arguments;
    private final WorkloadOptions options;
    private final int gets;
    private final Path directory;
    private final PrintStream out;

    private RestoreComparison(Arguments arguments, Path directory, PrintStream out) {
        this.arguments = arguments;
        int valueBytes = Math.max(1, arguments.number("--value-bytes", 1000));
        long stateBytes = (long) arguments.number("--megabytes", 256) << 20;
        this.options =
                new WorkloadOptions(
                        Math.max(1, stateBytes / valueBytes),
                        valueBytes,
                        arguments.number("--hot-mib", 256),
                        arguments.number("--managed-mib", 512),
                        0);
        this.gets = arguments.number("--gets", DEFAULT_GETS);
        this.directory = directory;
        this.out = out;
    }

    /** Exits with 2 and a usage text for wrong options. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        ComparisonProgram.run(USAGE, RestoreComparison::compare, arguments);
    }

    /**
     * Does all that the program does.
     *
     * @return the table
     */
    static RestoreTable compare(PrintStream out, String... commandLine)
            throws IOException, InterruptedException {
        Arguments arguments = new Arguments(KNOWN, commandLine);
        Path parent = Path.of(arguments.text("--directory", System.getProperty("java.io.tmpdir")));
        Path directory = Files.createTempDirectory(parent, "strata-restore-");
        try {
            return new RestoreComparison(arguments, directory, out).compare();
        } finally {
            FileUtils.deleteDirectory(directory.toFile());
        }
    }

    private RestoreTable compare() throws IOException, InterruptedException {
        List<RestoreContender> contenders =
                arguments.list(
                        "--contenders", "rocksdb,rocksdb-ingest,strata", RestoreContender::of);
        out.printf(
                "%,d keys with values of %,d bytes, hot tier %d MiB, managed memory %d MiB%n",
                options.keys(), options.valueBytes(), options.hotMib(), options.managedMib());
        writeCheckpoints(contenders);
        RestoreTable table = new RestoreTable(contenders, gets);
        Map<RestoreContender, WorkerProcess> processes = new LinkedHashMap<>();
        try {
            for (RestoreContender contender : contenders) {
                processes.put(contender, start(contender));
            }
            for (Rescale rescale : Rescale.values()) {
                measure(rescale, processes, table);
            }
        } finally {
            for (WorkerProcess process : processes.values()) {
                process.close();
            }
        }
        out.println();
        out.println(table.format());
        return table;
    }

    /** Contenders that share a backend share its checkpoints. */
    private void writeCheckpoints(List<RestoreContender> contenders)
            throws IOException, InterruptedException {
        List<MeasuredBackend> written = new ArrayList<>();
        for (RestoreContender contender : contenders) {
            if (written.contains(contender.backend())) {
                continue;
            }
            written.add(contender.backend());
            try (WorkerProcess process = start(contender)) {
                for (StatePart part : StatePart.values()) {
                    long bytes = Long.parseLong(process.ask("write " + part));
                    out.printf(
                            "%s, %s: a checkpoint of %,d MiB%n",
                            contender.backend().label(), part.label(), bytes >> 20);
                }
            }
        }
    }

    private WorkerProcess start(RestoreContender contender) throws IOException {
        List<String> command = new ArrayList<>();
        command.addAll(List.of("--contender", contender.label()));
        command.addAll(List.of("--directory", directory.toString()));
        command.addAll(List.of("--gets", Integer.toString(gets)));
        command.addAll(List.of("--clock", arguments.text("--clock", "wall")));
        command.addAll(List.of("--schema", arguments.text("--schema", "same")));
        command.addAll(Arguments.of(options));
        Map<String, String> flinkOptions = new LinkedHashMap<>(contender.flinkOptions());
        flinkOptions.putAll(arguments.flinkOptions());
        flinkOptions.forEach((key, value) -> command.add("-D" + key + "=" + value));
        List<String> jvmOptions = List.of("-Xmx" + arguments.number("--heap-mib", 2048) + "m");
        return new WorkerProcess(contender.label(), RestoreWorker.class, command, jvmOptions);
    }

    private void measure(
            Rescale rescale, Map<RestoreContender, WorkerProcess> processes, RestoreTable table)
            throws IOException {
        int warmup = arguments.number("--warmup", 1);
        int rounds = arguments.number("--rounds", 3);
        for (int round = -warmup; round < rounds; round++) {
            for (Map.Entry<RestoreContender, WorkerProcess> entry : processes.entrySet()) {
                RestoreTimes times =
                        RestoreTimes.ofLine(entry.getValue().ask("restore " + rescale));
                out.printf(
                        "%s %s, %s: first read %,d ms, gets %,d ms%n",
                        round < 0 ? "warm-up" : "round " + round,
                        rescale.label(),
                        entry.getKey().label(),
                        times.openNanos() / 1_000_000,
                        times.getsNanos() / 1_000_000);
                if (round >= 0) {
                    table.add(rescale, entry.getKey(), times);
                }
            }
        }
    }
}
