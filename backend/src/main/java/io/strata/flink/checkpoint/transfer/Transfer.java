/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import java.util.function.BooleanSupplier;

/** The moving of one file to or from remote storage. */
@FunctionalInterface
interface Transfer<T> {

    /**
     * Moves the file.
     *
     * @param stopped becomes true when another transfer failed and the result is no longer wanted
     */
    T run(BooleanSupplier stopped) throws Exception;
}
