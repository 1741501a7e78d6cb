/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/**
 * Where the flights come from: a gzipped CSV file with a header line, on disk or in this jar.
 *
 * @param location a path, or {@code classpath:} followed by the name of a resource
 */
record FlightFile(String location) implements Serializable {

    /** The 400,000 flights that come with the example. */
    static final FlightFile SHIPPED = new FlightFile("classpath:flights/flights-2001-400k.csv.gz");

    private static final String HEADER = "date,delay,distance,origin,destination";
    private static final String CLASSPATH = "classpath:";
    private static final int BUFFER_BYTES = 1 << 16;

    /**
     * Opens the file behind its header line.
     *
     * @throws IOException if it is missing, not gzip, or begins with another header
     */
    BufferedReader open() throws IOException {
        InputStream file = openRaw();
        try {
            BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(
                                    new GZIPInputStream(file, BUFFER_BYTES),
                                    StandardCharsets.US_ASCII));
            String header = lines.readLine();
            if (!HEADER.equals(header)) {
                throw new IOException(
                        location + ": expected the header " + HEADER + " but found " + header);
            }
            return lines;
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** Counts the flights by reading the whole file once. */
    long countFlights() throws IOException {
        try (BufferedReader lines = open()) {
            return lines.lines().count();
        }
    }

    private InputStream openRaw() throws IOException {
        if (!location.startsWith(CLASSPATH)) {
            return Files.newInputStream(Path.of(location));
        }
        String resource = location.substring(CLASSPATH.length());
        InputStream stream = FlightFile.class.getClassLoader().getResourceAsStream(resource);
        if (stream == null) {
            throw new FileNotFoundException(location);
        }
        return stream;
    }
}
