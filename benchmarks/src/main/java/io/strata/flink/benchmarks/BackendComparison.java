/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Compares backends: a JVM for each, all alive at once, measured in turn (A B C A B C …), so that a
 * busy neighbour disturbs all alike. Prints the medians of the rounds and their ratios.
 */
public final class BackendComparison {

    private static final String USAGE =
            """
            Usage: BackendComparison [options] [-Dkey=value of Flink]

              --backends A,B           of hashmap, rocksdb, strata (default all; ratios are to
                                       the last)
              --access A,B             value-get, value-update, map-get, map-put, list-get,
                                       list-append (default value-get,value-update)
              --keys N                 entries (default 1000000)
              --value-bytes N          random bytes (default 100)
              --hot-mib N              Strata's hot tier (default 256)
              --managed-mib N          managed memory: RocksDB's cache and buffers, Strata's
                                       page cache (default 512)
              --heap-mib N             maximum heap of each JVM (default 4096)
              --checkpoint-millis N    a checkpoint so often, 0 for none (default 10000)
              --rounds N, --ops N      measured rounds, operations in each (default 5, 1000000)
              --warmup N               rounds before (default 2)
              --clock wall|cpu         time, or processor time of the measured thread alone
            """;

    private static final List<String> KNOWN =
            List.of(
                    "--backends",
                    "--access",
                    "--keys",
                    "--value-bytes",
                    "--hot-mib",
                    "--managed-mib",
                    "--heap-mib",
                    "--checkpoint-millis",
                    "--rounds",
                    "--ops",
                    "--warmup",
                    "--clock");

    private final Arguments arguments;
    private final WorkloadOptions options;
    private final PrintStream out;

    private BackendComparison(Arguments arguments, PrintStream out) {
        this.arguments = arguments;
        this.options = arguments.workload();
        this.out = out;
    }

    /** Exits with 2 and a usage text for wrong options. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        ComparisonProgram.run(USAGE, BackendComparison::compare, arguments);
    }

    /**
     * Does all that the program does.
     *
     * @return the table
     */
    static ComparisonTable compare(PrintStream out, String... arguments)
            throws IOException, InterruptedException {
        return new BackendComparison(new Arguments(KNOWN, arguments), out).compare();
    }

    private ComparisonTable compare() throws IOException, InterruptedException {
        List<MeasuredBackend> backends =
                arguments.list("--backends", "hashmap,rocksdb,strata", MeasuredBackend::of);
        List<Access> accesses = arguments.list("--access", "value-get,value-update", Access::of);
        out.printf(
                "%,d entries of %d bytes, hot tier %d MiB, managed memory %d MiB, a checkpoint"
                        + " every %d ms%n",
                options.keys(),
                options.valueBytes(),
                options.hotMib(),
                options.managedMib(),
                options.checkpointMillis());
        ComparisonTable table = new ComparisonTable(backends);
        List<BackendProcess> processes = new ArrayList<>();
        try {
            for (MeasuredBackend backend : backends) {
                processes.add(start(backend));
            }
            for (Access access : accesses) {
                measure(access, processes, table);
            }
            for (BackendProcess process : processes) {
                out.printf("%s: %s%n", process.backend().label(), process.stats());
            }
        } finally {
            for (BackendProcess process : processes) {
                process.close();
            }
        }
        out.println();
        out.println(table.format());
        return table;
    }

    private BackendProcess start(MeasuredBackend backend) throws IOException {
        Map<String, String> flinkOptions = arguments.flinkOptions();
        List<String> jvmOptions = List.of("-Xmx" + arguments.number("--heap-mib", 4096) + "m");
        String clock = arguments.text("--clock", "wall");
        return new BackendProcess(backend, options, clock, flinkOptions, jvmOptions);
    }

    private void measure(Access access, List<BackendProcess> processes, ComparisonTable table)
            throws IOException {
        for (BackendProcess process : processes) {
            double nanos = process.load(access);
            out.printf("load %s %s: %.0f ns an entry%n", process.backend(), access.label(), nanos);
        }
        int operations = arguments.number("--ops", 1_000_000);
        int warmup = arguments.number("--warmup", 2);
        int rounds = arguments.number("--rounds", 5);
        for (int round = -warmup; round < rounds; round++) {
            for (BackendProcess process : processes) {
                double nanos = process.round(access, operations);
                out.printf(
                        "%s %s %s: %.0f ns%n",
                        round < 0 ? "warm-up" : "round " + round,
                        process.backend().label(),
                        access.label(),
                        nanos);
                if (round >= 0) {
                    table.add(access, process.backend(), nanos);
                }
            }
        }
    }
}
