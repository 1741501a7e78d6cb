/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A way to start a process within a memory cgroup, where the kernel kills it when it takes more: a
 * cgroup (version 2) that somebody delegated to us, or a scope of systemd.
 */
final class MemoryCgroup {

    /** The system property that names a delegated cgroup, such as /sys/fs/cgroup/strata. */
    static final String PROPERTY = "strata.memory.cgroup";

    private MemoryCgroup() {}

    /**
     * Returns what a command must begin with to run with this limit, or nothing where no way is
     * allowed.
     */
    static Optional<List<String>> commandWithin(long bytes)
            throws IOException, InterruptedException {
        String delegated = System.getProperty(PROPERTY);
        if (delegated != null) {
            Path group = Files.createDirectories(Path.of(delegated, "strata-memory-test"));
            Files.writeString(group.resolve("memory.max"), Long.toString(bytes));
            if (Files.exists(group.resolve("memory.swap.max"))) {
                Files.writeString(group.resolve("memory.swap.max"), "0");
            }
            String enter = "echo $$ > '%s' && exec \"$@\"".formatted(group.resolve("cgroup.procs"));
            return Optional.of(List.of("sh", "-c", enter, "sh"));
        }
        List<String> scope =
                List.of(
                        "systemd-run",
                        "--user",
                        "--scope",
                        "--quiet",
                        "-p",
                        "MemoryMax=" + bytes,
                        "-p",
                        "MemorySwapMax=0",
                        "--");
        return works(scope) ? Optional.of(scope) : Optional.empty();
    }

    private static boolean works(List<String> prefix) throws InterruptedException {
        try {
            List<String> command = new ArrayList<>(prefix);
            command.add("true");
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false; // there is no systemd
        }
    }
}
