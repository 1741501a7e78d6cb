/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.lang.ref.WeakReference;

/**
 * Objects met lately while values were measured, each with the entry it was met in. Tells whether
 * an object is held by several entries: a schema, a constant. Forgets by overwriting, and keeps
 * nothing alive. Task thread only.
 */
final class SharedObjects {

    private static final int CAPACITY = 1 << 10;

    private static final class Met extends WeakReference<Object> {
        private final int owner;
        private boolean shared;

        Met(Object object, int owner) {
            super(object);
            this.owner = owner;
        }
    }

    private Met[] table;

    /**
     * Notes that an object was met.
     *
     * @param owner tells entries from one another
     * @return whether another entry holds it too, as far as is remembered
     */
    boolean isShared(Object object, int owner) {
        if (table == null) {
            table = new Met[CAPACITY];
        }
        int hash = System.identityHashCode(object);
        int index = (hash ^ (hash >>> 10)) & (CAPACITY - 1);
        Met met = table[index];
        if (met != null && met.refersTo(object)) {
            met.shared |= met.owner != owner;
            return met.shared;
        }
        if (met == null || !met.shared || met.refersTo(null)) {
            table[index] = new Met(object, owner);
        }
        return false;
    }
}
