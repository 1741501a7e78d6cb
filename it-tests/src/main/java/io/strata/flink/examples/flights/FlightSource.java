/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.lib.util.IteratorSourceEnumerator;
import org.apache.flink.api.connector.source.lib.util.IteratorSourceReader;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimitedSourceReader;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * A bounded, replayable source of flights: one split, whose position in the file is what a
 * checkpoint keeps. Run it with parallelism 1.
 */
final class FlightSource implements Source<Flight, FlightSplit, Collection<FlightSplit>> {

    private static final long serialVersionUID = 1L;

    private final FlightFile file;
    private final long flights;
    private final int flightsPerCheckpoint;

    /**
     * Describes the source.
     *
     * @param flights how many to read; the file begins again when it is shorter
     * @param flightsPerCheckpoint at most so many between two checkpoints, or 0 to read as fast as
     *     the job can take them
     */
    FlightSource(FlightFile file, long flights, int flightsPerCheckpoint) {
        this.file = file;
        this.flights = flights;
        this.flightsPerCheckpoint = flightsPerCheckpoint;
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public SourceReader<Flight, FlightSplit> createReader(SourceReaderContext context) {
        SourceReader<Flight, FlightSplit> reader = new IteratorSourceReader<>(context);
        if (flightsPerCheckpoint == 0) {
            return reader;
        }
        RateLimiterStrategy<FlightSplit> pace =
                RateLimiterStrategy.perCheckpoint(flightsPerCheckpoint);
        return new RateLimitedSourceReader<>(reader, pace.createRateLimiter(1));
    }

    @Override
    public SplitEnumerator<FlightSplit, Collection<FlightSplit>> createEnumerator(
            SplitEnumeratorContext<FlightSplit> context) {
        return restoreEnumerator(context, List.of(new FlightSplit(file, 0, flights)));
    }

    @Override
    public SplitEnumerator<FlightSplit, Collection<FlightSplit>> restoreEnumerator(
            SplitEnumeratorContext<FlightSplit> context, Collection<FlightSplit> unassigned) {
        return new IteratorSourceEnumerator<>(context, unassigned);
    }

    @Override
    public SimpleVersionedSerializer<FlightSplit> getSplitSerializer() {
        return new FlightSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<Collection<FlightSplit>> getEnumeratorCheckpointSerializer() {
        return new FlightSplitSerializer.Unassigned();
    }
}
