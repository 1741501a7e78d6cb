/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules.planted.segment;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Only {@code io} may touch files. */
class OpensFiles {
    byte[] reads(Path path) throws IOException {
        return Files.readAllBytes(path);
    }

    boolean exists(File file) {
        return file.exists();
    }

    String namesOnly(Path path) {
        return path.resolve("name").toString();
    }
}
