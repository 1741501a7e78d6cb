/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.io;

import java.io.IOException;
import java.nio.file.Path;

/** Thrown when a file cannot grow since its disk is full; names the directory and what is free. */
public class DiskFullException extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient Path directory;
    private final long freeBytes;

    DiskFullException(String action, Path file, long freeBytes, IOException cause) {
        super(
                "%s: %s: the disk of directory %s is full, %d bytes are free: %s. Make room there; the job then goes on from its last checkpoint."
                        .formatted(file, action, file.getParent(), freeBytes, cause.getMessage()),
                cause);
        this.directory = file.getParent();
        this.freeBytes = freeBytes;
    }

    /** Returns the directory that the file is in. */
    public Path directory() {
        return directory;
    }

    /** Returns the bytes that were free when the exception was made, -1 if that is not known. */
    public long freeBytes() {
        return freeBytes;
    }
}
