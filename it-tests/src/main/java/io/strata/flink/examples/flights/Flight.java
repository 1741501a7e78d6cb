/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * One flight of the file.
 *
 * @param sequence position in the stream, from 0
 * @param departureMillis scheduled departure; the local time read as if it were UTC
 * @param delayMinutes arrival delay, negative is early
 * @param distanceMiles miles flown
 * @param origin IATA code
 * @param destination IATA code
 */
public record Flight(
        long sequence,
        long departureMillis,
        int delayMinutes,
        int distanceMiles,
        String origin,
        String destination) {

    private static final int COLUMNS = 5;

    /**
     * Reads one line of the file.
     *
     * @param shiftMillis added to the departure
     * @throws IllegalArgumentException if the line is not a flight
     */
    static Flight parse(String line, long sequence, long shiftMillis) {
        String[] columns = line.split(",", -1);
        if (columns.length != COLUMNS) {
            throw new IllegalArgumentException(
                    "Expected date,delay,distance,origin,destination but found: " + line);
        }
        try {
            return new Flight(
                    sequence,
                    LocalDateTime.parse(columns[0]).toInstant(ZoneOffset.UTC).toEpochMilli()
                            + shiftMillis,
                    Integer.parseInt(columns[1]),
                    Integer.parseInt(columns[2]),
                    columns[3],
                    columns[4]);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("Not a flight: " + line, e);
        }
    }

    /** Origin and destination, as {@code ATL-SAV}. */
    String route() {
        return origin + '-' + destination;
    }
}
