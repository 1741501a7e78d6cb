/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import java.io.IOException;

/** Thrown when a canonical savepoint cannot be restored; names the file and the key group. */
public class SavepointImportException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param part what of the file could not be restored
     * @param file the handle that the savepoint has for the file
     * @param cause what went wrong
     */
    SavepointImportException(String part, Object file, Exception cause) {
        super(
                "Cannot restore %s of the canonical savepoint in %s: %s. If the file is damaged, restore another savepoint."
                        .formatted(part, file, cause.getMessage()),
                cause);
    }
}
