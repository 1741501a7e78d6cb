/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.state.api.SavepointWriter;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.testutils.junit.SharedReference;
import org.apache.flink.util.CloseableIterator;

/** Takes savepoints of the {@link NumbersJob}, and starts it from savepoints. */
final class Savepoints {

    static final String STRATA = "io.strata.flink.StrataStateBackendFactory";
    static final String HASHMAP = "hashmap";

    static final int MAX_PARALLELISM = 16;
    static final int PARALLELISM = 2;

    private static final int RESTORED_PARALLELISM = 3;

    private static final long PATIENCE_SECONDS = 60;

    private final Path directory;

    /** Uses the running MiniCluster, and the directory for savepoints and scratch files. */
    Savepoints(Path directory) {
        this.directory = directory;
    }

    /** Where backends outside of tasks put their scratch files. */
    Path scratch() {
        return directory.resolve("scratch");
    }

    /** Returns an environment whose tasks use the backend. */
    StreamExecutionEnvironment environment(String backend, int parallelism) {
        Configuration configuration = new Configuration();
        configuration.set(StateBackendOptions.STATE_BACKEND, backend);
        configuration.set(CoreOptions.TMP_DIRS, scratch().toString());
        return environment(configuration, parallelism);
    }

    /** Runs the job until it has seen all numbers and returns the savepoint it was stopped with. */
    String take(String backend, SavepointFormatType format, SharedReference<CountDownLatch> emitted)
            throws Exception {
        StreamExecutionEnvironment env = environment(backend, PARALLELISM);
        NumbersJob.untilStopped(env, emitted).print();
        JobClient job = env.executeAsync();
        try {
            assertThat(emitted.get().await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            return stop(job, format);
        } finally {
            awaitEnd(job);
        }
    }

    /** Flink refuses as long as one of the tasks is not running. */
    private String stop(JobClient job, SavepointFormatType format) {
        String target = directory.resolve("taken").toString();
        return await().atMost(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .ignoreExceptions()
                .until(() -> job.stopWithSavepoint(false, target, format).get(), path -> true);
    }

    private static void awaitEnd(JobClient job) throws Exception {
        if (!job.getJobStatus().get().isGloballyTerminalState()) {
            job.cancel().get();
        }
        await().atMost(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .until(() -> job.getJobStatus().get().isGloballyTerminalState());
    }

    /** Runs a writer and returns the savepoint. */
    String write(SavepointWriter writer, StreamExecutionEnvironment env) throws Exception {
        String target = directory.resolve("written").toUri().toString();
        writer.write(target);
        env.execute();
        return target;
    }

    /** Restores the job and returns all that it tells about its state. */
    List<String> restore(String savepoint, String backend) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(StateBackendOptions.STATE_BACKEND, backend);
        configuration.set(CoreOptions.TMP_DIRS, scratch().toString());
        configuration.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
        return collect(NumbersJob.asking(environment(configuration, RESTORED_PARALLELISM)));
    }

    /** Runs a bounded job and returns its results. */
    static List<String> collect(DataStream<String> results) throws Exception {
        List<String> collected = new ArrayList<>();
        try (CloseableIterator<String> iterator = results.executeAndCollect()) {
            iterator.forEachRemaining(collected::add);
        }
        return collected;
    }

    private static StreamExecutionEnvironment environment(
            Configuration configuration, int parallelism) {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        env.setParallelism(parallelism);
        env.setMaxParallelism(MAX_PARALLELISM);
        return env;
    }
}
