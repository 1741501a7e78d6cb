/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

import org.apache.flink.api.common.typeutils.TypeSerializer;

/** A kind of serializer, with versions of a type that it serializes: 1, 2 and 3. */
interface Kind {

    int VERSIONS = 3;

    /** Returns the classes of a version of the job. */
    default ClassLoader classes(int version) {
        return Kind.class.getClassLoader();
    }

    /** Returns the serializer of a version. */
    TypeSerializer<Object> serializer(int version) throws Exception;

    /** Returns an item as a version of the job makes it. */
    Object item(int version, int number) throws Exception;

    /** Returns what the job sees of an item, in words. */
    String view(int version, Object item) throws Exception;

    /** Returns what a version sees of an item that another one wrote. */
    String expected(int written, int reader, int number);
}
