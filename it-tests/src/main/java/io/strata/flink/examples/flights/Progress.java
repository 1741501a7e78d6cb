/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.io.PrintStream;
import java.util.Optional;

/**
 * The line that tells how far a run has come: rewritten in place on a terminal, a new line every
 * few seconds elsewhere.
 */
final class Progress {

    private static final long LINE_EVERY_NANOS = 5_000_000_000L;

    private final PrintStream out;
    private final boolean terminal;
    private final long startNanos = System.nanoTime();
    private long lastNanos = startNanos - LINE_EVERY_NANOS;

    Progress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    void update(String backend, long position, long flights, Optional<Tiers> tiers) {
        long now = System.nanoTime();
        if (!terminal && now - lastNanos < LINE_EVERY_NANOS) {
            return;
        }
        lastNanos = now;
        StringBuilder line =
                new StringBuilder(
                        String.format(
                                "%-8s %,11d of %,d flights  %5.1f s",
                                backend, position, flights, (now - startNanos) / 1e9));
        tiers.ifPresent(
                t ->
                        line.append(
                                String.format(
                                        "   hot %,d entries %s, cold %,d records %s",
                                        t.hotEntries(),
                                        Bytes.format(t.hotBytes()),
                                        t.coldRecords(),
                                        Bytes.format(t.coldBytes()))));
        if (terminal) {
            out.printf("\r%-110s", line);
            out.flush();
        } else {
            out.println(line);
        }
    }

    /** Leaves the line as it stands. */
    void end() {
        if (terminal) {
            out.println();
        }
    }
}
