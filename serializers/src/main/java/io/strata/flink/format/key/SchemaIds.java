/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.key;

import net.jpountz.xxhash.XXHashFactory;

/**
 * The number by which runs refer to the serializers that wrote them: the xxHash64 of what is known
 * of these serializers, so that the same serializers have the same number everywhere.
 *
 * <p>The number is kept in files. Hash function and seed never change.
 */
public final class SchemaIds {

    /** What runs have that were written before there were schemas. */
    public static final long UNVERSIONED = 0;

    /** "SCHEMA" in ASCII. */
    private static final long SEED = 0x5343_4845_4D41L;

    private SchemaIds() {}

    /** Returns the number of a schema, never {@link #UNVERSIONED}. Any thread may call. */
    public static long of(byte[] description) {
        long hash =
                XXHashFactory.fastestJavaInstance()
                        .hash64()
                        .hash(description, 0, description.length, SEED);
        return hash == UNVERSIONED ? 1 : hash;
    }
}
