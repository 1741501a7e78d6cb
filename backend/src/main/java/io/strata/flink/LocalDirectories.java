/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.checkpoint.files.SegmentDirectories;
import io.strata.flink.io.LocalStorageDirectory;
import io.strata.flink.io.SpreadStorageDirectory;
import io.strata.flink.io.StorageDirectory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.JobID;
import org.apache.flink.util.IOUtils;

/**
 * Makes the scratch directories of keyed backends: one in each configured path, over which a
 * backend spreads its files by free space.
 */
final class LocalDirectories {

    /** Lets the backends of a process, whichever job they belong to, begin with different paths. */
    private static final AtomicInteger NEXT = new AtomicInteger();

    private static final int MAX_OPERATOR_CHARS = 100;

    private LocalDirectories() {}

    /**
     * Makes the directories of one backend.
     *
     * @param configured the paths of the option; the default is used when there are none
     * @throws LocalDirectoryException if one cannot be made
     */
    static SegmentDirectories create(
            List<String> configured, File defaultPath, JobID job, String operator)
            throws IOException {
        String name =
                "strata_job_%s_op_%s_%s".formatted(job, fileName(operator), UUID.randomUUID());
        if (configured.isEmpty()) {
            String path = defaultPath.getAbsolutePath();
            return new SegmentDirectories(number -> open(path, false, name, number));
        }
        List<String> paths = new ArrayList<>(configured);
        Collections.rotate(paths, NEXT.getAndIncrement());
        return new SegmentDirectories(number -> openAll(paths, name, number));
    }

    private static StorageDirectory openAll(List<String> paths, String name, int number)
            throws IOException {
        List<StorageDirectory> opened = new ArrayList<>(paths.size());
        try {
            for (String path : paths) {
                opened.add(open(path, true, name, number));
            }
        } catch (IOException e) {
            IOUtils.closeAllQuietly(opened);
            throw e;
        }
        return opened.size() == 1 ? opened.get(0) : new SpreadStorageDirectory(opened);
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
