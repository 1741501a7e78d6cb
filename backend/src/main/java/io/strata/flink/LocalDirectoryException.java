/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import java.io.IOException;

/** Thrown when a local directory cannot be used; names the option and the path. */
public class LocalDirectoryException extends IOException {

    private static final long serialVersionUID = 1L;

    LocalDirectoryException(String path, boolean configured, IOException cause) {
        super(
                "Cannot use the local directory '%s' (%s): %s. Make it writable, or set '%s' to another one."
                        .formatted(
                                path,
                                configured ? "configured" : "the TaskManager's own",
                                cause.getMessage(),
                                StrataOptions.LOCAL_DIRECTORIES.key()),
                cause);
    }
}
