/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;

/** A class that Flink knows no serializer for: neither a POJO nor a record to it, so Kryo's. */
final class KryoObject {

    private final BigInteger number;
    private final long count;
    private final byte[] bytes;

    KryoObject(BigInteger number, long count, byte[] bytes) {
        this.number = number;
        this.count = count;
        this.bytes = bytes;
    }

    long count() {
        return count;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KryoObject that
                && count == that.count
                && number.equals(that.number)
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(number, count);
    }

    @Override
    public String toString() {
        return number + " changed " + count + " times";
    }
}
