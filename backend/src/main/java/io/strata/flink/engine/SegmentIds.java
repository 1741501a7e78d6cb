/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.format.segment.SegmentId;
import java.util.UUID;

/** The source of identities for new segments: unique over all backends and restarts. */
public final class SegmentIds {

    private SegmentIds() {}

    /** Returns an identity that no segment has had. */
    public static SegmentId next() {
        UUID uuid = UUID.randomUUID();
        return new SegmentId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
    }
}
