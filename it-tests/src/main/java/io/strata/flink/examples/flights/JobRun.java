/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.checkpoint.CheckpointStatsStatus;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * One run of the job on a MiniCluster of its own. Which state backend it is run on is a matter of
 * the configuration alone.
 */
final class JobRun {

    private static final int SLOTS = 2;
    private static final int KEPT_CHECKPOINTS = 10_000;
    private static final Duration LOOK_EVERY = Duration.ofMillis(250);

    private final String backend;
    private final Configuration configuration;
    private final FlightJob job;
    private final Path directory;
    private Tiers largest;

    /**
     * Prepares a run.
     *
     * @param backend its name in the table
     * @param options Flink options, above all {@code state.backend.type}
     * @param directory where checkpoints, results and scratch files go
     */
    JobRun(String backend, Map<String, String> options, FlightJob job, Path directory) {
        this.backend = backend;
        this.configuration = configuration(directory);
        this.configuration.addAll(Configuration.fromMap(options));
        this.job = job;
        this.directory = directory;
    }

    /**
     * The option that chooses a backend.
     *
     * @see StateBackendOptions#STATE_BACKEND
     */
    static Map<String, String> choose(Backend backend) {
        return Map.of(StateBackendOptions.STATE_BACKEND.key(), backend.type());
    }

    private static Configuration configuration(Path directory) {
        Configuration configuration = new Configuration();
        configuration.set(CoreOptions.DEFAULT_PARALLELISM, SLOTS);
        configuration.set(CoreOptions.TMP_DIRS, directory.resolve("tmp").toString());
        configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(256));
        configuration.set(CheckpointingOptions.CHECKPOINT_STORAGE, "filesystem");
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY,
                directory.resolve("checkpoints").toUri().toString());
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(1));
        configuration.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1);
        configuration.set(
                RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(100));
        configuration.set(WebOptions.CHECKPOINTS_HISTORY_SIZE, KEPT_CHECKPOINTS);
        configuration.setString("metrics.reporters", "job");
        configuration.setString(
                "metrics.reporter.job.factory.class", JobMetricsFactory.class.getName());
        return configuration;
    }

    /**
     * Runs the job to its end.
     *
     * @throws ExecutionException if the job fails for good
     */
    RunReport execute(Progress progress)
            throws ExecutionException, InterruptedException, IOException {
        try (MiniCluster cluster = new MiniCluster(clusterConfiguration())) {
            cluster.start();
            return execute(cluster, progress);
        } catch (ExecutionException | InterruptedException | IOException e) {
            throw e;
        } catch (Exception e) {
            throw new ExecutionException("The cluster of " + backend + " did not work", e);
        }
    }

    private RunReport execute(MiniCluster cluster, Progress progress) throws Exception {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(configuration);
        Path results = directory.resolve("results");
        job.build(env, results);
        JobGraph graph = env.getStreamGraph().getJobGraph();

        long startNanos = System.nanoTime();
        cluster.submitJob(graph).get();
        CompletableFuture<JobResult> end = cluster.requestJobResult(graph.getJobID());
        while (!isDone(end)) {
            Optional<Tiers> tiers = JobMetrics.tiers();
            tiers.ifPresent(this::keepLargest);
            progress.update(backend, JobMetrics.position(), job.flights(), tiers);
        }
        Duration elapsed = Duration.ofNanos(System.nanoTime() - startNanos);
        throwIfFailed(end.get());
        CheckpointStatsSnapshot checkpoints =
                cluster.getArchivedExecutionGraph(graph.getJobID())
                        .get()
                        .getCheckpointStatsSnapshot();
        return new RunReport(
                backend,
                job.flights(),
                elapsed,
                checkpoints.getCounts().getNumberOfCompletedCheckpoints(),
                medianBytes(checkpoints),
                Optional.ofNullable(largest),
                checkpoints.getCounts().getNumberOfRestoredCheckpoints(),
                ResultLines.read(results));
    }

    private MiniClusterConfiguration clusterConfiguration() {
        return new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(SLOTS)
                .withRandomPorts()
                .build();
    }

    private void keepLargest(Tiers tiers) {
        if (largest == null || tiers.bytes() >= largest.bytes()) {
            largest = tiers;
        }
    }

    private void throwIfFailed(JobResult result) throws ExecutionException {
        if (!result.isSuccess()) {
            throw new ExecutionException(
                    "The job failed on " + backend, result.getSerializedThrowable().orElse(null));
        }
    }

    private static boolean isDone(CompletableFuture<JobResult> end)
            throws InterruptedException, ExecutionException {
        try {
            end.get(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private static long medianBytes(CheckpointStatsSnapshot checkpoints) {
        List<Long> sizes =
                checkpoints.getHistory().getCheckpoints().stream()
                        .filter(c -> c.getStatus() == CheckpointStatsStatus.COMPLETED)
                        .map(AbstractCheckpointStats::getCheckpointedSize)
                        .sorted()
                        .toList();
        return sizes.isEmpty() ? 0 : sizes.get(sizes.size() / 2);
    }
}
