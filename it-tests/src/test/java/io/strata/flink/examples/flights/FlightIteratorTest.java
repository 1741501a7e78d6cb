/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlightIteratorTest {

    private static final String HEADER = "date,delay,distance,origin,destination";
    private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

    @TempDir private Path directory;

    @Test
    void replaysFromEveryPosition() throws IOException {
        FlightFile file = threeFlightsOnTwoDays();
        List<Flight> all = read(new FlightSplit(file, 0, 7));
        assertThat(all).hasSize(7).extracting(Flight::sequence).isSorted();

        for (int position = 0; position <= 7; position++) {
            FlightSplit split = new FlightSplit(file, position, 7);
            assertThat(read(split)).isEqualTo(all.subList(position, 7));
        }
    }

    @Test
    void checkpointsThePositionOfTheNextFlight() throws IOException {
        FlightSplit split = new FlightSplit(threeFlightsOnTwoDays(), 0, 7);
        FlightIterator iterator = split.getIterator();
        List<Flight> before = List.of(iterator.next(), iterator.next(), iterator.next());

        FlightSplit rest = split.getUpdatedSplitForIterator(iterator);

        List<Flight> joined = new ArrayList<>(before);
        joined.addAll(read(rest));
        assertThat(joined).isEqualTo(read(split));
    }

    @Test
    void movesEachPassBehindTheOneBefore() throws IOException {
        List<Flight> all = read(new FlightSplit(threeFlightsOnTwoDays(), 0, 9));

        assertThat(all).extracting(Flight::departureMillis).isSorted();
        for (int i = 3; i < all.size(); i++) {
            Flight flight = all.get(i);
            Flight passBefore = all.get(i - 3);
            assertThat(flight.departureMillis() - passBefore.departureMillis())
                    .isEqualTo(2 * DAY_MILLIS);
            assertThat(flight.route()).isEqualTo(passBefore.route());
        }
    }

    @Test
    void namesTheLineThatIsNoFlight() throws IOException {
        FlightFile file = write(HEADER, "2001-01-01T00:01,late,2176,LAS,PHL");

        assertThatThrownBy(() -> read(new FlightSplit(file, 0, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2001-01-01T00:01,late,2176,LAS,PHL");
    }

    @Test
    void refusesAnotherHeaderAndAnEmptyFile() throws IOException {
        FlightFile other = write("when,delay", "2001-01-01T00:01,3");
        FlightFile empty = write(HEADER);

        assertThatThrownBy(() -> read(new FlightSplit(other, 0, 1)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("when,delay");
        assertThatThrownBy(() -> read(new FlightSplit(empty, 0, 1)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("no flights");
    }

    @Test
    void theShippedFileHoldsFourHundredThousandFlights() throws IOException {
        assertThat(FlightFile.SHIPPED.countFlights()).isEqualTo(400_000);
    }

    @Test
    void splitsSurviveTheirSerializers() throws IOException {
        FlightSplit split = new FlightSplit(new FlightFile("classpath:x"), 17, 1L << 40);
        FlightSplitSerializer one = new FlightSplitSerializer();
        FlightSplitSerializer.Unassigned many = new FlightSplitSerializer.Unassigned();

        assertThat(one.deserialize(one.getVersion(), one.serialize(split))).isEqualTo(split);
        assertThat(many.deserialize(many.getVersion(), many.serialize(List.of(split, split))))
                .containsExactly(split, split);
        assertThatThrownBy(() -> one.deserialize(2, one.serialize(split)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("version 2");
    }

    private FlightFile threeFlightsOnTwoDays() throws IOException {
        return write(
                HEADER,
                "2001-01-01T00:01,33,2176,LAS,PHL",
                "2001-01-01T23:59,-4,215,ATL,SAV",
                "2001-01-02T05:00,0,405,MCI,MDW");
    }

    private FlightFile write(String... lines) throws IOException {
        Path path = Files.createTempFile(directory, "flights", ".csv.gz");
        try (Writer writer =
                new OutputStreamWriter(
                        new GZIPOutputStream(Files.newOutputStream(path)),
                        StandardCharsets.US_ASCII)) {
            writer.write(String.join("\n", lines));
        }
        return new FlightFile(path.toString());
    }

    private static List<Flight> read(FlightSplit split) {
        List<Flight> flights = new ArrayList<>();
        split.getIterator().forEachRemaining(flights::add);
        return flights;
    }
}
