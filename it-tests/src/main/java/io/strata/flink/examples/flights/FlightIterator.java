/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The flights of one split, in order: the file from front to back, and again as often as the split
 * asks. Each further pass is moved to the days behind the one before, so that event time ascends.
 */
final class FlightIterator implements Iterator<Flight> {

    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

    private final FlightSplit split;
    private BufferedReader lines;
    private long passStartMillis = Long.MIN_VALUE;
    private long shiftMillis;
    private long nextSequence;
    private Flight lookAhead;

    /** Opens the file and reads up to the split's position. */
    FlightIterator(FlightSplit split) {
        this.split = split;
        if (split.position() < split.end()) {
            advance();
            while (lookAhead.sequence() < split.position()) {
                advance();
            }
        }
    }

    @Override
    public boolean hasNext() {
        return lookAhead != null;
    }

    @Override
    public Flight next() {
        if (lookAhead == null) {
            throw new NoSuchElementException();
        }
        Flight flight = lookAhead;
        advance();
        return flight;
    }

    /** The sequence number of the flight that {@link #next} gives next. */
    long position() {
        return lookAhead == null ? split.end() : lookAhead.sequence();
    }

    private void advance() {
        try {
            Flight previous = lookAhead;
            String line = nextSequence < split.end() ? readLine(previous) : null;
            if (line == null) {
                lookAhead = null;
                closeLines();
                return;
            }
            lookAhead = Flight.parse(line, nextSequence++, shiftMillis);
            if (passStartMillis == Long.MIN_VALUE) {
                passStartMillis = Math.floorDiv(lookAhead.departureMillis(), DAY_MILLIS);
                passStartMillis *= DAY_MILLIS;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String readLine(Flight previous) throws IOException {
        if (lines == null) {
            lines = split.file().open();
        }
        String line = lines.readLine();
        if (line == null) {
            if (previous == null) {
                throw new IOException(split.file().location() + ": no flights");
            }
            closeLines();
            long dayAfter = Math.floorDiv(previous.departureMillis(), DAY_MILLIS) + 1;
            shiftMillis = dayAfter * DAY_MILLIS - passStartMillis;
            lines = split.file().open();
            line = lines.readLine();
        }
        return line;
    }

    private void closeLines() throws IOException {
        if (lines != null) {
            lines.close();
            lines = null;
        }
    }
}
