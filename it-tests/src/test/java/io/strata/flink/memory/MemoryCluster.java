/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.awaitility.Awaitility;

/** A JobManager and a TaskManager, each in a JVM of its own. */
final class MemoryCluster implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(30);
    private static final long LOOK_MILLIS = 100;

    private static final List<String> NO_TASK =
            List.of(
                    "for unknown task",
                    "tasks not ready",
                    "task is closing",
                    "Checkpoint Coordinator is suspending");

    private final Configuration configuration;
    private final FlinkProcess master;
    private final FlinkProcess worker;
    private final Path metrics;

    private MemoryCluster(
            Configuration configuration, FlinkProcess master, FlinkProcess worker, Path metrics) {
        this.configuration = configuration;
        this.master = master;
        this.worker = worker;
        this.metrics = metrics;
    }

    /**
     * Starts both.
     *
     * @param prefix a command that the TaskManager's JVM is started by, or nothing
     * @param memory the memory options of the TaskManager, and its slots
     */
    static MemoryCluster start(List<String> prefix, Configuration memory, Path directory)
            throws Exception {
        Path metrics = directory.resolve("metrics");
        Files.createDirectories(directory.resolve("tmp"));
        Configuration configuration = configuration(directory);
        configuration.addAll(memory);
        configuration.set(JobManagerOptions.PORT, freePort());
        configuration.set(RestOptions.PORT, freePort());
        FlinkProcess master = FlinkProcess.master(configuration, directory.resolve("master"));
        report(configuration, metrics);
        FlinkProcess worker =
                FlinkProcess.worker(prefix, configuration, directory.resolve("worker"));
        return new MemoryCluster(configuration, master, worker, metrics);
    }

    /** For the TaskManager alone: two processes would overwrite each other's file. */
    private static void report(Configuration configuration, Path metrics) {
        configuration.setString("metrics.reporters", "file");
        configuration.setString(
                "metrics.reporter.file.factory.class", ProcessMetrics.Factory.class.getName());
        configuration.setString("metrics.reporter.file.interval", "500 ms");
        configuration.setString("metrics.reporter.file." + ProcessMetrics.FILE, metrics.toString());
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static Configuration configuration(Path directory) {
        Configuration configuration = new Configuration();
        configuration.set(JobManagerOptions.ADDRESS, "localhost");
        configuration.set(RestOptions.ADDRESS, "localhost");
        configuration.set(TaskManagerOptions.HOST, "localhost");
        configuration.set(CoreOptions.TMP_DIRS, directory.resolve("tmp").toString());
        configuration.set(
                StateBackendOptions.STATE_BACKEND, "io.strata.flink.StrataStateBackendFactory");
        configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                directory.resolve("checkpoints").toUri().toString());
        configuration.set(
                CheckpointingOptions.CHECKPOINTING_INTERVAL,
                Duration.ofMillis(Long.getLong("strata.memory.checkpointMillis", 3000)));
        configuration.set(CheckpointingOptions.TOLERABLE_FAILURE_NUMBER, 0);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
        configuration.set(WebOptions.CHECKPOINTS_HISTORY_SIZE, 10_000);
        return configuration;
    }

    /** Runs the job to its end, while it watches the TaskManager. */
    MemoryReport run(MemoryOptions options) throws Exception {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createRemoteEnvironment(
                        "localhost", configuration.get(RestOptions.PORT), configuration);
        MemoryJob.build(env, options);
        long start = System.nanoTime();
        awaitWorker();
        JobClient job = env.executeAsync("memory " + options.type());
        ProcessWatch watch = new ProcessWatch(worker.pid());
        JobExecutionResult result = awaitEnd(job.getJobExecutionResult(), watch);
        double seconds = (System.nanoTime() - start) / 1e9;
        String checkpoints = get("/jobs/" + job.getJobID() + "/checkpoints");
        return new MemoryReport(
                options,
                seconds,
                result.getAccumulatorResult(MemoryJob.CHECKED),
                result.getAccumulatorResult(MemoryJob.CHANGES),
                count("completed", checkpoints),
                failures(checkpoints),
                ProcessMetrics.read(metrics),
                watch);
    }

    private void awaitWorker() {
        Awaitility.await("TaskManager registered")
                .atMost(Duration.ofMinutes(2))
                .ignoreExceptions()
                .until(() -> get("/overview").contains("\"taskmanagers\":1"));
    }

    private JobExecutionResult awaitEnd(
            CompletableFuture<JobExecutionResult> end, ProcessWatch watch) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            watch.look();
            try {
                return end.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (!worker.isAlive() || System.nanoTime() > deadline) {
                    throw new IllegalStateException(
                            (worker.isAlive() ? "The job does not end. " : "TaskManager died. ")
                                    + worker.log(),
                            e);
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("The job failed. " + worker.log(), e);
            }
        }
    }

    private String get(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://localhost:" + configuration.get(RestOptions.PORT) + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /**
     * Returns why checkpoints failed, of those that the JobManager remembers. While a job starts or
     * ends some are declined because there is no task to take them; those do not count.
     */
    private static List<String> failures(String checkpoints) {
        return Pattern.compile("\"failure_message\":\"([^\"]*)\"")
                .matcher(checkpoints)
                .results()
                .map(found -> found.group(1))
                .filter(reason -> NO_TASK.stream().noneMatch(reason::contains))
                .toList();
    }

    /** Returns one of the counts in the answer about checkpoints. */
    private static int count(String name, String checkpoints) {
        Matcher matcher =
                Pattern.compile("\"counts\":\\{[^}]*\"" + name + "\":(\\d+)").matcher(checkpoints);
        if (!matcher.find()) {
            throw new IllegalStateException("No count of " + name + " in " + checkpoints);
        }
        return Integer.parseInt(matcher.group(1));
    }

    boolean workerIsAlive() {
        return worker.isAlive();
    }

    @Override
    public void close() throws Exception {
        worker.close();
        master.close();
    }
}
