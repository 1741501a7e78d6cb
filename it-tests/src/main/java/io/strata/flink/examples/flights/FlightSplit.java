/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import org.apache.flink.api.connector.source.lib.util.IteratorSourceSplit;

/**
 * What is still to be read; also what a checkpoint keeps of the source.
 *
 * @param file the file
 * @param position sequence number of the next flight
 * @param end sequence number behind the last flight; beyond the end of the file it begins again
 */
record FlightSplit(FlightFile file, long position, long end)
        implements IteratorSourceSplit<Flight, FlightIterator> {

    @Override
    public String splitId() {
        return file.location();
    }

    @Override
    public FlightIterator getIterator() {
        return new FlightIterator(this);
    }

    @Override
    public FlightSplit getUpdatedSplitForIterator(FlightIterator iterator) {
        return new FlightSplit(file, iterator.position(), end);
    }
}
