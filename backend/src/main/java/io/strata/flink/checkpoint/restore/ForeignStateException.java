/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.restore;

import java.io.IOException;

/**
 * Thrown when a checkpoint was written by another state backend, in a form of its own; says by
 * which.
 */
public class ForeignStateException extends IOException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param writer what wrote the checkpoint, as far as its handle tells
     * @param handle the handle that cannot be restored
     */
    ForeignStateException(String writer, Object handle) {
        super(
                ("This checkpoint was not written by Strata but by %s: %s. Take a canonical"
                                + " savepoint with the state backend that wrote it"
                                + " (state.backend.type), and restore that.")
                        .formatted(writer, handle));
    }
}
