/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.transfer;

import io.strata.flink.engine.RestoredRuns;
import io.strata.flink.format.segment.KeyGroupEntry;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.RunDirectory;
import io.strata.flink.segment.Run;
import io.strata.flink.segment.Segment;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts while a restore runs, from any of its threads; published as {@link RestoreStats}. */
public final class RestoreCounters {

    private final RestoreClock clock = new RestoreClock();
    private final LongAdder segmentsOpened = new LongAdder();
    private final LongAdder bytesRead = new LongAdder();
    private final LongAdder bytesOwned = new LongAdder();
    private final LongAdder recordsRewritten = new LongAdder();

    void read(long bytes) {
        bytesRead.add(bytes);
    }

    /** Counts a segment from which some key groups are needed. */
    void opened(Segment segment, KeyGroupSpan needed) {
        segmentsOpened.increment();
        for (RunDirectory run : segment.layout().footer().runs()) {
            for (KeyGroupEntry entry : run.within(needed)) {
                bytesOwned.add(entry.dataBytes() + entry.indexBytes() + entry.filterBytes());
            }
        }
    }

    /** Counts the runs that were written for a canonical savepoint. */
    public void rewritten(RestoredRuns imported) {
        imported.segments().stream()
                .filter(Objects::nonNull)
                .forEach(
                        segment -> {
                            segmentsOpened.increment();
                            recordsRewritten.add(
                                    segment.runs().stream().mapToLong(Run::records).sum());
                        });
    }

    public RestoreStats stats() {
        return new RestoreStats(
                segmentsOpened.sum(),
                bytesRead.sum(),
                bytesOwned.sum(),
                recordsRewritten.sum(),
                clock.millis());
    }
}
