/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.flink.util.FileUtils;

/**
 * A process that drives one backend. On its own it loads the state and measures round after round:
 * the harness for a profiler. With {@code --commanded true} it does what {@link BackendComparison}
 * writes to its standard input, one command a line:
 *
 * <pre>
 *   load ACCESS        →  done NANOS_PER_ENTRY
 *   ACCESS OPERATIONS  →  done NANOS_PER_OPERATION
 *   stats              →  done one line of text
 * </pre>
 */
public final class BackendWorker {

    private static final String USAGE =
            """
            Usage: BackendWorker [options] [-Dkey=value of Flink]

              --backend NAME           hashmap, rocksdb or strata (default strata)
              --access A,B             value-get, value-update, map-get, map-put, list-get,
                                       list-append (default value-get,value-update)
              --keys N                 entries (default 1000000)
              --value-bytes N          random bytes (default 100)
              --hot-mib N              Strata's hot tier (default 256)
              --managed-mib N          managed memory (default 512)
              --checkpoint-millis N    a checkpoint so often, 0 for none (default 10000)
              --rounds N, --ops N      how long to measure (default 5 rounds of 1000000)
              --clock wall|cpu         time, or processor time of the measured thread alone
            """;

    private static final List<String> KNOWN =
            List.of(
                    "--backend",
                    "--access",
                    "--keys",
                    "--value-bytes",
                    "--hot-mib",
                    "--managed-mib",
                    "--checkpoint-millis",
                    "--rounds",
                    "--ops",
                    "--clock",
                    "--commanded");

    private final BackendSession session;
    private final WorkloadOptions options;
    private final LongSupplier nanoClock;
    private final PrintStream out;
    private final Map<Access.Kind, Workload> workloads = new EnumMap<>(Access.Kind.class);
    private int sink;

    private BackendWorker(
            BackendSession session,
            WorkloadOptions options,
            LongSupplier nanoClock,
            PrintStream out) {
        this.session = session;
        this.options = options;
        this.nanoClock = nanoClock;
        this.out = out;
    }

    /** Exits with 2 and a usage text for wrong options. */
    public static void main(String[] arguments) throws Exception {
        Locale.setDefault(Locale.ROOT);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        if (List.of(arguments).contains("--help")) {
            out.print(USAGE);
            return;
        }
        try {
            run(new Arguments(KNOWN, arguments), out);
        } catch (IllegalArgumentException e) {
            out.println(e.getMessage());
            out.print(USAGE);
            System.exit(2);
        }
    }

    private static void run(Arguments arguments, PrintStream out) throws Exception {
        MeasuredBackend backend = MeasuredBackend.of(arguments.text("--backend", "strata"));
        WorkloadOptions options = arguments.workload();
        LongSupplier nanoClock = nanoClock(arguments.text("--clock", "wall"));
        Path directory = Files.createTempDirectory("strata-benchmark-");
        try (BackendSession session =
                new BackendSession(backend, options, directory, arguments.flinkOptions())) {
            BackendWorker worker = new BackendWorker(session, options, nanoClock, out);
            if (Boolean.parseBoolean(arguments.text("--commanded", "false"))) {
                worker.obey();
            } else {
                worker.measure(
                        arguments.list("--access", "value-get,value-update", Access::of),
                        arguments.number("--rounds", 5),
                        arguments.number("--ops", 1_000_000));
            }
        } finally {
            FileUtils.deleteDirectory(directory.toFile());
        }
    }

    /** The processor time is less disturbed by a busy machine, but hides what others do for it. */
    private static LongSupplier nanoClock(String name) {
        return switch (name) {
            case "wall" -> System::nanoTime;
            case "cpu" -> ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime;
            default -> throw new IllegalArgumentException("--clock: wall or cpu, not " + name);
        };
    }

    private void measure(List<Access> accesses, int rounds, int operations) throws Exception {
        for (Access access : accesses) {
            out.printf("load %s: %.0f ns an entry%n", access.label(), load(access));
            for (int round = 0; round < rounds; round++) {
                out.printf("%s: %.0f ns%n", access.label(), round(access, operations));
            }
            out.println(stats());
        }
    }

    private void obey() throws Exception {
        try (BufferedReader commands =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                out.println(WorkerProcess.ANSWER + obey(line.split(" ")));
            }
        }
    }

    private String obey(String... command) throws Exception {
        return switch (command[0]) {
            case "load" -> Double.toString(load(Access.of(command[1])));
            case "stats" -> stats();
            default -> Double.toString(round(Access.of(command[0]), Integer.parseInt(command[1])));
        };
    }

    /** Loads the state of an access, unless it is there for another; ends with a checkpoint. */
    private double load(Access access) throws Exception {
        if (workloads.containsKey(access.kind())) {
            return 0;
        }
        Workload workload = Workload.of(access.kind(), session, options);
        workloads.put(access.kind(), workload);
        long startNanos = nanoClock.getAsLong();
        workload.load();
        if (options.checkpointMillis() > 0) {
            session.checkpoint();
        }
        return (nanoClock.getAsLong() - startNanos) / (double) options.keys();
    }

    private double round(Access access, int operations) throws Exception {
        Workload workload = workloads.get(access.kind());
        long startNanos = nanoClock.getAsLong();
        for (int i = 0; i < operations; i++) {
            sink += workload.step(access);
        }
        return (nanoClock.getAsLong() - startNanos) / (double) operations;
    }

    private String stats() {
        Runtime runtime = Runtime.getRuntime();
        return String.format(
                "%d checkpoints, %,d bytes written, heap %,d MiB, check %d, gauges %s",
                session.checkpoints().completed(),
                session.checkpoints().writtenBytes(),
                (runtime.totalMemory() - runtime.freeMemory()) >> 20,
                sink,
                session.gauges());
    }
}
