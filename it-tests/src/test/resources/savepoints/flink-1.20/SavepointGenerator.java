/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.upgrade;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.DiscardingSink;
import org.apache.flink.streaming.api.functions.source.SourceFunction;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.api.windowing.assigners.EventTimeSessionWindows;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.time.Time;

/**
 * Takes a canonical savepoint of {@link SavedJob} on Flink 1.20; README.md tells how it is run.
 *
 * <p>Arguments: hashmap or rocksdb, and the directory for the savepoint.
 */
public final class SavepointGenerator {

    private static final CountDownLatch ALL_EMITTED = new CountDownLatch(1);

    private SavepointGenerator() {}

    public static void main(String[] arguments) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(StateBackendOptions.STATE_BACKEND, arguments[0]);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(2, configuration);
        environment.setMaxParallelism(128);
        DataStream<Tuple2<String, Long>> records =
                environment
                        .addSource(new Numbers(), Types.TUPLE(Types.STRING, Types.LONG))
                        .setParallelism(1);
        SavedJob.of(
                        records,
                        TumblingEventTimeWindows.of(Time.of(SavedJob.WINDOW)),
                        EventTimeSessionWindows.withGap(Time.of(SavedJob.SESSION_GAP)))
                .addSink(new DiscardingSink<>());
        JobClient job = environment.executeAsync();
        ALL_EMITTED.await();
        // So that what lives for a millisecond is expired in the savepoint.
        Thread.sleep(Duration.ofSeconds(1).toMillis());
        System.out.println(savepoint(job, arguments[1]));
        job.cancel().get();
    }

    /** Tries again while some task still starts. */
    private static String savepoint(JobClient job, String directory) throws Exception {
        while (true) {
            try {
                return job.triggerSavepoint(directory, SavepointFormatType.CANONICAL).get();
            } catch (ExecutionException e) {
                Thread.sleep(500);
            }
        }
    }

    /** Emits all numbers, each at its own time, and then waits. No watermark passes any of them. */
    private static final class Numbers implements SourceFunction<Tuple2<String, Long>> {

        private static final long serialVersionUID = 1L;

        private volatile boolean running = true;

        @Override
        public void run(SourceContext<Tuple2<String, Long>> context) throws Exception {
            synchronized (context.getCheckpointLock()) {
                for (long number = 1; number <= SavedJob.NUMBERS; number++) {
                    context.collectWithTimestamp(Tuple2.of(SavedJob.key(number), number), number);
                }
                context.emitWatermark(new Watermark(0));
            }
            ALL_EMITTED.countDown();
            while (running) {
                Thread.sleep(10);
            }
        }

        @Override
        public void cancel() {
            running = false;
        }
    }
}
