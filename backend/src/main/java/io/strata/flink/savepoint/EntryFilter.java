/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import java.io.IOException;
import javax.annotation.Nullable;

/** Decides which entries of a state go into a savepoint. One thread at a time. */
@FunctionalInterface
interface EntryFilter {

    /**
     * Returns what to write for an entry.
     *
     * @param value the bytes of the value as the state's format has them; not changed
     * @return the same array, another one, or null when the entry is not written
     */
    @Nullable
    byte[] filter(byte[] value) throws IOException;
}
