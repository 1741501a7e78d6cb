/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.serialization.SimpleStringEncoder;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;

/**
 * The dataflow. It knows nothing of state backends.
 *
 * @param file the flights
 * @param flights how many of them to read
 * @param failAt the flight at which the job fails once, or -1
 * @param flightsPerCheckpoint pace of the source, or 0
 * @param growing whether every flight is a key of its own that is kept for ever
 */
record FlightJob(
        FlightFile file, long flights, long failAt, int flightsPerCheckpoint, boolean growing)
        implements Serializable {

    private static final Duration TRAFFIC_WINDOW = Duration.ofHours(3);

    /**
     * Not whole minutes: with a gap of exactly 4 hours, a flight 4 hours after another would or
     * would not join its session, depending on when the watermark came.
     */
    private static final Duration BURST_GAP = Duration.ofHours(4).plusMillis(1);

    /** Adds the job to the environment; its results go to files below {@code results}. */
    void build(StreamExecutionEnvironment env, Path results) {
        DataStream<Flight> stream =
                env.fromSource(
                                new FlightSource(file, flights, flightsPerCheckpoint),
                                WatermarkStrategy.<Flight>forMonotonousTimestamps()
                                        .withTimestampAssigner(
                                                (flight, none) -> flight.departureMillis()),
                                "flights",
                                Types.POJO(Flight.class))
                        .setParallelism(1)
                        .uid("flights")
                        .map(new FailOnce(failAt))
                        .setParallelism(1)
                        .uid("fail-once");
        DataStream<String> lines = growing ? ledger(stream) : reports(stream);
        lines.sinkTo(fileSink(results)).name("results").uid("results");
    }

    private static DataStream<String> reports(DataStream<Flight> flights) {
        DataStream<String> diary =
                flights.keyBy(Flight::route)
                        .process(new RouteDiary())
                        .name("route-diary")
                        .uid("route-diary");
        DataStream<String> bursts =
                flights.keyBy(Flight::route)
                        .window(EventTimeSessionWindows.withGap(BURST_GAP))
                        .process(new RouteBursts())
                        .name("route-bursts")
                        .uid("route-bursts");
        DataStream<String> traffic =
                flights.keyBy(Flight::origin)
                        .window(TumblingEventTimeWindows.of(TRAFFIC_WINDOW))
                        .aggregate(new Delays.Sum(), new OriginTraffic())
                        .name("origin-traffic")
                        .uid("origin-traffic");
        return diary.union(bursts, traffic);
    }

    private static DataStream<String> ledger(DataStream<Flight> flights) {
        return flights.<LedgerEntry>flatMap(LedgerEntry::write)
                .setParallelism(1)
                .returns(LedgerEntry.class)
                .uid("ledger-entries")
                .keyBy(LedgerEntry::flight)
                .process(new FlightLedger())
                .name("flight-ledger")
                .uid("flight-ledger");
    }

    /** Writes lines exactly once: a file becomes visible when its checkpoint completes. */
    private static FileSink<String> fileSink(Path results) {
        return FileSink.forRowFormat(
                        new org.apache.flink.core.fs.Path(results.toUri()),
                        new SimpleStringEncoder<String>())
                .withBucketAssigner(new BasePathBucketAssigner<>())
                .withRollingPolicy(OnCheckpointRollingPolicy.build())
                .build();
    }
}
