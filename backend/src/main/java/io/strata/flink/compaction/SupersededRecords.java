/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.compaction;

import io.strata.flink.segment.RunView;
import java.util.List;

/**
 * Estimates which part of a run's records newer runs supersede, from memory alone: the first record
 * of some of its pages, a uniform sample since records lie in the order of hashes, is asked for in
 * the filters of the newer runs. Their false positives make the estimate a little too large.
 */
public final class SupersededRecords {

    private static final int SAMPLES = 48;

    private SupersededRecords() {}

    /**
     * Returns the estimate for each run, between 0 and 1.
     *
     * @param newestFirst all runs of one state
     */
    public static double[] estimate(List<RunView> newestFirst) {
        double[] superseded = new double[newestFirst.size()];
        for (int i = 1; i < superseded.length; i++) {
            List<RunView> newer = newestFirst.subList(0, i);
            Count count = new Count(newer);
            newestFirst.get(i).sample(SAMPLES, count);
            superseded[i] = count.superseded / Math.max(1.0, count.records);
        }
        return superseded;
    }

    /** Counts the records of a sample. */
    private static final class Count implements RunView.SampleVisitor {

        private final List<RunView> newer;
        private int records;
        private int superseded;

        Count(List<RunView> newer) {
            this.newer = newer;
        }

        @Override
        public void visit(int keyGroup, long orderKey) {
            records++;
            for (RunView view : newer) {
                if (view.mayContain(keyGroup, orderKey)) {
                    superseded++;
                    return;
                }
            }
        }
    }
}
