/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Bytes of a format, written as annotated hex under {@code src/test/resources/golden}: one example
 * a line, the bytes left of {@code #}, what they are right of it.
 *
 * <p>{@code -Dstrata.golden.update=true} rewrites the files instead of comparing; look at the
 * difference before committing it: a changed line is a changed format.
 */
public final class GoldenFile {

    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    private final String name;
    private final StringBuilder text = new StringBuilder();

    public GoldenFile(String name, String title) {
        this.name = name;
        text.append("# ").append(title).append('\n');
    }

    /** Adds one example. */
    public GoldenFile add(String what, byte[] bytes) {
        text.append(HEX.formatHex(bytes)).append("  # ").append(what).append('\n');
        return this;
    }

    /** Compares all examples with the file, or rewrites it when the system property says so. */
    public void verify() throws IOException {
        if (Boolean.getBoolean("strata.golden.update")) {
            Path file = Path.of("src/test/resources/golden", name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } else {
            assertThat(text.toString()).as("golden file %s", name).isEqualTo(read());
        }
    }

    private String read() throws IOException {
        try (InputStream in = GoldenFile.class.getResourceAsStream("/golden/" + name)) {
            assertThat(in).as("golden file %s", name).isNotNull();
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
