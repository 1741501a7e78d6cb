/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import org.openjdk.jol.info.GraphLayout;

/** Graphs of objects as JOL measures them, which is set up here once for the whole test JVM. */
public final class ObjectGraphs {

    static {
        // sizes come from the layout of the fields; attaching to the JVM takes seconds
        System.setProperty("jol.skipDynamicAttach", "true");
        System.setProperty("jol.skipHotspotSAAttach", "true");
        // the only way to the fields of records
        System.setProperty("jol.magicFieldOffset", "true");
    }

    private ObjectGraphs() {}

    /** To be called before JOL is used directly. */
    static void prepare() {
        // the static part does it
    }

    /** Throws if the nodes and tables of the hot tier do not take what they are counted as. */
    public static void checkNodeSizes() {
        NodeSizeTest test = new NodeSizeTest();
        test.nodesTakeWhatTheyAreCountedAs();
        test.aTableTakesWhatItSays();
        test.aMapTableTakesWhatItSays();
        test.aListTakesWhatItSays();
    }

    /** Returns the heap bytes of everything that can be reached from some objects. */
    public static long bytes(Object... roots) {
        return GraphLayout.parseInstance(roots).totalSize();
    }
}
