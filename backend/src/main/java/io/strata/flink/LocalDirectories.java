/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.checkpoint.files.SegmentDirectories;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.io.StorageDirectory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.JobID;

/**
 * Makes the scratch directories of keyed backends, spread over the configured paths one after
 * another.
 */
final class LocalDirectories {

    /** Spreads the backends of a process, whichever job they belong to. */
    private static final AtomicInteger NEXT = new AtomicInteger();

    private static final int MAX_OPERATOR_CHARS = 100;

    private LocalDirectories() {}

    /**
     * Makes the directory of one backend.
     *
     * @param configured the paths of the option; the default is used when there are none
     * @throws LocalDirectoryException if it cannot be made
     */
    static SegmentDirectories create(
            List<String> configured, File defaultPath, JobID job, String operator)
            throws IOException {
        boolean isConfigured = !configured.isEmpty();
        String path =
                isConfigured
                        ? configured.get(Math.floorMod(NEXT.getAndIncrement(), configured.size()))
                        : defaultPath.getAbsolutePath();
        String name =
                "strata_job_%s_op_%s_%s".formatted(job, fileName(operator), UUID.randomUUID());
        return new SegmentDirectories(number -> open(path, isConfigured, name, number));
    }

    /** Operator identifiers hold user text; file systems allow names of 255 bytes. */
    private static String fileName(String operator) {
        String legal = operator.replaceAll("[^a-zA-Z0-9\\-]", "_");
        return legal.substring(0, Math.min(legal.length(), MAX_OPERATOR_CHARS));
    }

    private static StorageDirectory open(String path, boolean isConfigured, String name, int number)
            throws LocalDirectoryException {
        try {
            return LocalStorageDirectory.create(
                    Path.of(path, number == 0 ? name : name + "_" + number));
        } catch (IOException e) {
            throw new LocalDirectoryException(path, isConfigured, e);
        }
    }
}
