/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

/**
 * The heap bytes of the keys, namespaces or user keys of one table. The same for the same key at
 * any time, so that a table can take back what it added: strings and simple types exactly, any
 * other key as much as the first one of its kind that was asked for. Task thread only.
 */
public final class KeySizer {

    private static final int UNKNOWN = -1;

    private final boolean looksAtKeys;

    /** The class whose keys all take the same, if one was asked for. */
    private Class<?> uniform;

    private int uniformBytes;

    /** What a key takes of a class that is neither simple nor the first asked for. */
    private int otherBytes;

    private KeySizer(boolean looksAtKeys, int otherBytes) {
        this.looksAtKeys = looksAtKeys;
        this.otherBytes = otherBytes;
    }

    /** A sizer of keys that all take the same, for example 0 for shared objects. */
    public static KeySizer fixed(int heapBytes) {
        if (heapBytes < 0) {
            throw new IllegalArgumentException("Negative heapBytes: " + heapBytes);
        }
        return new KeySizer(false, (int) EntrySizer.align(heapBytes));
    }

    /** A sizer that looks at the keys. */
    public static KeySizer measuring() {
        return new KeySizer(true, UNKNOWN);
    }

    /** The heap bytes of a key, 0 for null. */
    int bytes(Object key) {
        if (!looksAtKeys) {
            return otherBytes;
        }
        if (key == null) {
            return 0;
        }
        if (key.getClass() == uniform) {
            return uniformBytes;
        }
        return key instanceof String string ? (int) EntrySizer.stringBytes(string) : anyBytes(key);
    }

    private int anyBytes(Object key) {
        long exact = EntrySizer.exactBytes(key);
        if (exact >= 0) {
            if (uniform == null && !key.getClass().isArray()) {
                uniform = key.getClass();
                uniformBytes = (int) exact;
            }
            return (int) exact;
        }
        if (otherBytes == UNKNOWN) {
            otherBytes = (int) EntrySizer.align(new FootprintWalk().measure(key, 0));
            if (uniform == null) {
                uniform = key.getClass();
                uniformBytes = otherBytes;
            }
        }
        return otherBytes;
    }
}
