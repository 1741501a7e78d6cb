/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

/**
 * A value whose serialized form depends on the version of {@link ItemSerializer}: version 1 has
 * only the name, 2 adds the amount, 3 the note, 4 leaves the amount out.
 */
record Item(String name, long amount, String note) {

    /** What fields have that a version does not know. */
    static final long NO_AMOUNT = -1;

    static final String NO_NOTE = "none";

    /** Returns what is left of an item that one version wrote and another reads. */
    Item through(int written, int read) {
        boolean hasAmount = ItemSerializer.hasAmount(written) && ItemSerializer.hasAmount(read);
        boolean hasNote = ItemSerializer.hasNote(written) && ItemSerializer.hasNote(read);
        return new Item(name, hasAmount ? amount : NO_AMOUNT, hasNote ? note : NO_NOTE);
    }
}
