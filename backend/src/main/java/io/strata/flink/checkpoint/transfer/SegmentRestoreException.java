/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import java.io.IOException;

/** Thrown when a file of a checkpoint cannot be restored; names the file and its handle. */
public class SegmentRestoreException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param what what the file should be
     * @param handle the handle that the checkpoint has for it
     * @param cause what went wrong
     */
    public SegmentRestoreException(String what, Object handle, Exception cause) {
        super(
                "Cannot restore %s from %s: %s. If the file is damaged, restore an older checkpoint."
                        .formatted(what, handle, cause.getMessage()),
                cause);
    }
}
