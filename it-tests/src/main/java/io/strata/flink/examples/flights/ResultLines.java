/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * The results of one run, sorted. A line that was written twice is here twice.
 *
 * @param sorted the lines
 */
record ResultLines(List<String> sorted) {

    private static final int DIGEST_BYTES = 6;

    /**
     * Reads the committed files of a file sink.
     *
     * @throws IOException also if there is a file that the sink did not commit
     */
    static ResultLines read(Path directory) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                if (file.getFileName().toString().startsWith("part-")) {
                    lines.addAll(Files.readAllLines(file));
                }
            }
        }
        return of(lines);
    }

    static ResultLines of(List<String> lines) {
        return new ResultLines(lines.stream().sorted().toList());
    }

    /** The first hex digits of the SHA-256 of all lines. */
    String digest() {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            for (String line : sorted) {
                sha.update(line.getBytes(StandardCharsets.UTF_8));
                sha.update((byte) '\n');
            }
            return HexFormat.of().formatHex(sha.digest(), 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }

    /**
     * Compares with the results of another run, line for line.
     *
     * @param limit how many differences to describe
     * @return the differences, up to the limit; empty if there is none
     */
    List<String> differences(String name, ResultLines other, String otherName, int limit) {
        List<String> found = new ArrayList<>();
        int mine = 0;
        int theirs = 0;
        while (found.size() < limit && (mine < size() || theirs < other.size())) {
            int order = compare(mine, other, theirs);
            if (order == 0) {
                mine++;
                theirs++;
            } else if (order < 0) {
                found.add("only " + name + ": " + sorted.get(mine++));
            } else {
                found.add("only " + otherName + ": " + other.sorted.get(theirs++));
            }
        }
        return found;
    }

    int size() {
        return sorted.size();
    }

    private int compare(int mine, ResultLines other, int theirs) {
        if (mine == size()) {
            return 1;
        }
        return theirs == other.size() ? -1 : sorted.get(mine).compareTo(other.sorted.get(theirs));
    }
}
