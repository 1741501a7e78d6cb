/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.bytes;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/**
 * Bytes as text that a person can read and review: each line holds an offset, up to 16 bytes in
 * hexadecimal, and on the first line of each part what the part is. Golden files are kept in it.
 *
 * <pre>
 * # a comment
 * 00000000  53 54 52 41 54 53 45 47                          magic
 * </pre>
 */
public final class AnnotatedHex {

    private static final int BYTES_PER_LINE = 16;
    private static final int OFFSET_DIGITS = 8;
    private static final int HEX_COLUMN = OFFSET_DIGITS + 2;
    private static final int HEX_WIDTH = 3 * BYTES_PER_LINE;
    private static final HexFormat HEX = HexFormat.of();

    private final StringBuilder text = new StringBuilder();
    private int offset;

    /** Adds a line of comment. */
    public AnnotatedHex comment(String comment) {
        text.append(comment.isEmpty() ? "#" : "# ").append(comment).append('\n');
        return this;
    }

    /** Adds a part and what it is. */
    public AnnotatedHex add(String what, byte[] bytes, int from, int length) {
        for (int done = 0; done < length; done += BYTES_PER_LINE) {
            StringBuilder line = new StringBuilder(String.format("%08x  ", offset + done));
            for (int i = done; i < Math.min(length, done + BYTES_PER_LINE); i++) {
                HEX.toHexDigits(line, bytes[from + i]).append(' ');
            }
            if (done == 0) {
                line.append(" ".repeat(HEX_COLUMN + HEX_WIDTH - line.length())).append(what);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        offset += length;
        return this;
    }

    /** Returns the number of bytes added so far. */
    public int offset() {
        return offset;
    }

    /** Returns the text. */
    @Override
    public String toString() {
        return text.toString();
    }

    /**
     * Returns the bytes of a text.
     *
     * @throws IllegalArgumentException when a line is not of this form or not at its offset
     */
    public static byte[] parse(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .forEach(line -> parseLine(line, bytes));
        return bytes.toByteArray();
    }

    private static void parseLine(String line, ByteArrayOutputStream bytes) {
        if (line.length() <= HEX_COLUMN
                || HexFormat.fromHexDigits(line, 0, OFFSET_DIGITS) != bytes.size()) {
            throw new IllegalArgumentException(
                    "expected a line at offset " + bytes.size() + ": " + line);
        }
        int end = Math.min(line.length(), HEX_COLUMN + HEX_WIDTH);
        String hex = line.substring(HEX_COLUMN, end).strip();
        bytes.writeBytes(HexFormat.ofDelimiter(" ").parseHex(hex));
    }
}
