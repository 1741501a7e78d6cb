/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import java.util.function.IntFunction;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.tuple.Tuple2;

/**
 * A kind of keys: of fixed and of variable length, and made of several fields.
 *
 * @param keys gives different keys for different numbers
 */
record ImportKeys<K>(String name, TypeSerializer<K> serializer, IntFunction<K> keys) {

    static final ImportKeys<String> TEXT =
            of("text", TypeInformation.of(String.class), n -> "k".repeat(n % 5) + n);

    static final ImportKeys<Long> LONG =
            of("long", TypeInformation.of(Long.class), n -> n * 0x9E3779B97F4A7C15L);

    static final ImportKeys<Tuple2<String, Long>> TUPLE =
            of(
                    "tuple",
                    TypeInformation.of(new TypeHint<>() {}),
                    n -> Tuple2.of("k".repeat(n % 3), (long) n));

    static final ImportKeys<Customer> POJO =
            of("pojo", TypeInformation.of(Customer.class), Customer::new);

    private static <K> ImportKeys<K> of(String name, TypeInformation<K> type, IntFunction<K> keys) {
        return new ImportKeys<>(name, type.createSerializer(new SerializerConfigImpl()), keys);
    }

    @Override
    public String toString() {
        return name;
    }

    /** A key as users write them. */
    public static final class Customer {
        public String name;
        public int number;

        /** For Flink. */
        public Customer() {}

        Customer(int number) {
            this.name = "customer".substring(number % 8);
            this.number = number;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Customer customer
                    && customer.number == number
                    && customer.name.equals(name);
        }

        @Override
        public int hashCode() {
            return name.hashCode() * 31 + number;
        }

        @Override
        public String toString() {
            return name + number;
        }
    }
}
