/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.segment.RunView;
import java.util.List;

/**
 * How much the runs of one state hold, in the key groups of one store.
 *
 * @param records the number of records; what newer ones replace counts too
 * @param bytes the bytes of their pages
 */
public record ColdSize(long records, long bytes) {

    static ColdSize of(List<RunView> views) {
        long records = 0;
        long bytes = 0;
        for (RunView view : views) {
            records += view.records();
            bytes += view.dataBytes();
        }
        return new ColdSize(records, bytes);
    }
}
