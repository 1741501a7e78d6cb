/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.segment.Segment;
import java.util.List;

/**
 * The runs of a store at one moment, with the segments that hold them.
 *
 * @param segments the segments, parallel to the manifest's; valid while the {@link StoreSnapshot}
 *     that gave the version is open
 * @param manifest the runs
 */
public record StoreVersion(List<Segment> segments, StoreManifest manifest) {
    /** Copies the list. */
    public StoreVersion {
        segments = List.copyOf(segments);
    }
}
