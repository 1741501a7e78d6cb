/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.util.FileUtils;

/**
 * Fills and restores one contender in this JVM, on command; commands come from {@link
 * RestoreComparison}.
 */
final class RestoreWorker {

    static final ValueStateDescriptor<byte[]> STATE =
            new ValueStateDescriptor<>("value", BytePrimitiveArraySerializer.INSTANCE);

    static final List<String> KNOWN =
            List.of(
                    "--contender",
                    "--directory",
                    "--gets",
                    "--clock",
                    "--schema",
                    "--keys",
                    "--value-bytes",
                    "--hot-mib",
                    "--managed-mib",
                    "--checkpoint-millis");

    private final RestoreContender contender;
    private final WorkloadOptions options;
    private final Arguments arguments;
    private final Path directory;

    private RestoreWorker(Arguments arguments) {
        this.contender = RestoreContender.of(arguments.text("--contender", "strata"));
        this.options = arguments.workload();
        this.arguments = arguments;
        this.directory = Path.of(arguments.text("--directory", "."));
    }

    public static void main(String[] arguments) throws Exception {
        Locale.setDefault(Locale.ROOT);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        RestoreWorker worker = new RestoreWorker(new Arguments(KNOWN, arguments));
        try (BufferedReader commands =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                out.println(WorkerProcess.ANSWER + worker.obey(line.split(" ", -1)));
            }
        }
    }

    private String obey(String... command) throws Exception {
        return switch (command[0]) {
            case "write" -> write(StatePart.valueOf(command[1]));
            case "restore" -> restore(Rescale.valueOf(command[1])).toLine();
            default -> throw new IllegalArgumentException("Unknown command " + command[0]);
        };
    }

    private String write(StatePart part) throws Exception {
        SavedState saved = saved(part);
        saved.write(options, arguments.flinkOptions());
        return Long.toString(saved.handle().getStateSize());
    }

    private SavedState saved(StatePart part) {
        return new SavedState(contender.backend(), part, directory);
    }

    private RestoreTimes restore(Rescale rescale) throws Exception {
        CountedHandles counted = new CountedHandles();
        List<KeyedStateHandle> handles = new ArrayList<>();
        for (StatePart part : rescale.from()) {
            saved(part).warm();
            handles.add(counted.count(saved(part).handle()));
        }
        long checkpointBytes = handles.stream().mapToLong(KeyedStateHandle::getStateSize).sum();
        Path local = Files.createTempDirectory(directory, "restored-");
        LongSupplier nanoClock = nanoClock();
        long startNanos = nanoClock.getAsLong();
        try (BackendSession session =
                new BackendSession(
                        contender.backend(),
                        options,
                        local,
                        arguments.flinkOptions(),
                        rescale.to().keyGroups(),
                        handles)) {
            ValueState<byte[]> state = session.state(restoredState());
            RandomBytes random = new RandomBytes(options.valueBytes());
            get(session, state, rescale.to(), random);
            long firstNanos = nanoClock.getAsLong();
            int gets = arguments.number("--gets", 100_000);
            for (int i = 0; i < gets; i++) {
                get(session, state, rescale.to(), random);
            }
            return new RestoreTimes(
                    firstNanos - startNanos,
                    nanoClock.getAsLong() - firstNanos,
                    checkpointBytes,
                    counted.readBytes());
        } finally {
            FileUtils.deleteDirectory(local.toFile());
        }
    }

    /** The state as the restored job has it: in another form when that is asked for. */
    private ValueStateDescriptor<byte[]> restoredState() {
        String schema = arguments.text("--schema", "same");
        return switch (schema) {
            case "same" -> STATE;
            case "changed" ->
                    new ValueStateDescriptor<>(STATE.getName(), ChangedBytesSerializer.INSTANCE);
            default ->
                    throw new IllegalArgumentException("--schema: same or changed, not " + schema);
        };
    }

    /** The processor time is that of all threads: a restore has several. */
    private LongSupplier nanoClock() {
        String name = arguments.text("--clock", "wall");
        OperatingSystemMXBean process =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return switch (name) {
            case "wall" -> System::nanoTime;
            case "cpu" -> process::getProcessCpuTime;
            default -> throw new IllegalArgumentException("--clock: wall or cpu, not " + name);
        };
    }

    private void get(
            BackendSession session, ValueState<byte[]> state, StatePart part, RandomBytes random)
            throws Exception {
        long key = random.nextKey(options.keys());
        while (!part.has(key)) {
            key = random.nextKey(options.keys());
        }
        session.beginRecord(key);
        byte[] value = state.value();
        if (value == null || value.length != options.valueBytes()) {
            throw new IOException("The restored state has lost key " + key);
        }
    }
}
