/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * How the JVM lays out objects: what sizes are made of.
 *
 * @param referenceBytes of a reference
 * @param headerBytes of an object before its fields
 * @param arrayHeaderBytes of an array before its elements
 * @param alignmentBytes every object takes a multiple of this
 */
record HeapLayout(int referenceBytes, int headerBytes, int arrayHeaderBytes, int alignmentBytes) {

    /** The layout of this process. */
    static final HeapLayout CURRENT = detect();

    private static final long COMPRESSIBLE_BYTES = 32L << 30;

    /**
     * The layout that results from options of HotSpot.
     *
     * @param compressedReferences {@code UseCompressedOops}
     * @param compressedClasses {@code UseCompressedClassPointers}
     * @param alignmentBytes {@code ObjectAlignmentInBytes}
     */
    static HeapLayout of(
            boolean compressedReferences, boolean compressedClasses, int alignmentBytes) {
        return new HeapLayout(
                compressedReferences ? 4 : 8,
                compressedClasses ? 12 : 16,
                compressedClasses ? 16 : 24,
                alignmentBytes);
    }

    /** The heap bytes of an object with these fields. */
    long objectBytes(int references, int primitiveBytes) {
        return align(headerBytes + (long) references * referenceBytes + primitiveBytes);
    }

    /** The heap bytes of an array of primitives. */
    long arrayBytes(long length, int elementBytes) {
        return align(arrayHeaderBytes + length * elementBytes);
    }

    /** The heap bytes of an array of references, without what they lead to. */
    long referenceArrayBytes(long length) {
        return arrayBytes(length, referenceBytes);
    }

    private long align(long bytes) {
        return (bytes + alignmentBytes - 1) & -alignmentBytes;
    }

    private static HeapLayout detect() {
        boolean small = Runtime.getRuntime().maxMemory() < COMPRESSIBLE_BYTES;
        return of(
                Boolean.parseBoolean(option("UseCompressedOops", Boolean.toString(small))),
                Boolean.parseBoolean(option("UseCompressedClassPointers", "true")),
                Integer.parseInt(option("ObjectAlignmentInBytes", "8")));
    }

    /** Other JVMs than HotSpot, and images without the management module, answer nothing. */
    private static String option(String name, String otherwise) {
        try {
            return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .getVMOption(name)
                    .getValue();
        } catch (RuntimeException | LinkageError e) {
            return otherwise;
        }
    }
}
