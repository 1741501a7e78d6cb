/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What the operating system says of a process; Linux only. */
final class ProcessWatch {

    private final Path proc;
    private long peakBytes;
    private long peakFiles;
    private long peakThreads;

    ProcessWatch(long pid) {
        this.proc = Path.of("/proc", Long.toString(pid));
    }

    static boolean isSupported() {
        return Files.isReadable(Path.of("/proc/self/status"));
    }

    /** Looks once; does nothing when the process is gone. */
    void look() throws IOException {
        try (Stream<Path> files = Files.list(proc.resolve("fd"))) {
            peakFiles = Math.max(peakFiles, files.count());
            for (String line : Files.readAllLines(proc.resolve("status"))) {
                if (line.startsWith("VmHWM:")) {
                    peakBytes = Math.max(peakBytes, number(line) << 10);
                } else if (line.startsWith("Threads:")) {
                    peakThreads = Math.max(peakThreads, number(line));
                }
            }
        } catch (NoSuchFileException e) {
            // gone: who waits for the job will say so
        }
    }

    /** Returns the most that the process ever had resident, as the kernel kept it. */
    long peakBytes() {
        return peakBytes;
    }

    long peakFiles() {
        return peakFiles;
    }

    long peakThreads() {
        return peakThreads;
    }

    private static long number(String line) {
        return Long.parseLong(line.replaceAll("\\D", ""));
    }
}
