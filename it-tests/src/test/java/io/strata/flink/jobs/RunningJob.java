/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.checkpoint.CheckpointException;
import org.apache.flink.runtime.checkpoint.CheckpointFailureReason;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionJobVertex;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.executiongraph.ErrorInfo;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobResourceRequirements;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.awaitility.core.ConditionFactory;

/** One run of the {@link AllStatesJob} on a {@link JobCluster}, as a test steers it. */
final class RunningJob {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Duration LOOK_EVERY = Duration.ofMillis(25);
    private static final int EVENTS_BETWEEN_CHECKPOINTS = 30;

    private final MiniCluster cluster;
    private final JobControl control;
    private final JobPlan plan;
    private final JobID id;
    private final Path checkpoints;

    private RunningJob(MiniCluster cluster, JobControl control, JobPlan plan, JobID id) {
        this.cluster = cluster;
        this.control = control;
        this.plan = plan;
        this.id = id;
        this.checkpoints =
                Path.of(java.net.URI.create(plan.options().get("execution.checkpointing.dir")))
                        .resolve(id.toString());
    }

    /** Submits the job and waits until all its tasks run. */
    static RunningJob start(JobCluster cluster, JobControl control, JobPlan plan) throws Exception {
        RunningJob job = submit(cluster, control, plan);
        job.awaitRunning();
        return job;
    }

    /** Submits the job and does not wait. */
    static RunningJob submit(JobCluster cluster, JobControl control, JobPlan plan)
            throws Exception {
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.getExecutionEnvironment(plan.configuration(cluster));
        env.setParallelism(plan.parallelism());
        new AllStatesJob(control, plan.sources(), plan.nullValues()).build(env);
        JobGraph graph = env.getStreamGraph().getJobGraph();
        graph.setSavepointRestoreSettings(plan.restore());
        MiniCluster miniCluster = cluster.miniCluster();
        miniCluster.submitJob(graph).get();
        return new RunningJob(miniCluster, control, plan, graph.getJobID());
    }

    static void cancelAll(JobCluster cluster) {
        MiniCluster miniCluster = cluster.miniCluster();
        await("jobs gone")
                .atMost(PATIENCE)
                .until(
                        () -> {
                            boolean gone = true;
                            for (var job : miniCluster.listJobs().get()) {
                                if (!job.getJobState().isGloballyTerminalState()) {
                                    gone = false;
                                    miniCluster.cancelJob(job.getJobId()).get();
                                }
                            }
                            return gone;
                        });
    }

    JobID id() {
        return id;
    }

    JobPlan plan() {
        return plan;
    }

    /** Where this run's checkpoints are; nothing else is there. */
    Path checkpointDirectory() {
        return checkpoints;
    }

    void awaitRunning() throws Exception {
        awaiting("all tasks running").until(this::allTasksRun);
    }

    private boolean allTasksRun() throws Exception {
        throwIfFailed();
        int tasks = 0;
        for (AccessExecutionVertex vertex :
                cluster.getExecutionGraph(id).get().getAllExecutionVertices()) {
            if (vertex.getExecutionState() != ExecutionState.RUNNING) {
                return false;
            }
            tasks++;
        }
        return tasks > 0;
    }

    /** Waits until so many events more have been emitted on the lane that is ahead. */
    void awaitEvents(long more) throws Exception {
        long until = control.furthest() + more;
        awaiting("events").until(() -> !failed() && control.furthest() >= until);
    }

    CheckpointStatsSnapshot checkpointStats() throws Exception {
        return cluster.getExecutionGraph(id).get().getCheckpointStatsSnapshot();
    }

    long restores() throws Exception {
        return checkpointStats().getCounts().getNumberOfRestoredCheckpoints();
    }

    /**
     * Waits until the job fails for a reason that says this, and returns all that is said of it.
     */
    String awaitFailureWith(String text) {
        String[] found = {""};
        awaiting("failure with '" + text + "'")
                .until(
                        () -> {
                            ErrorInfo failure =
                                    cluster.getExecutionGraph(id).get().getFailureInfo();
                            found[0] = failure == null ? "" : failure.getExceptionAsString();
                            return !failed() && found[0].contains(text);
                        });
        return found[0];
    }

    /** Waits until the job runs again from its last checkpoint. */
    void awaitRestore() throws Exception {
        long restores = restores();
        awaiting("restore").until(() -> !failed() && restores() > restores);
        awaitRunning();
    }

    /** Makes the keyed operator hold, and waits until it does. */
    void hold() {
        control.setBlocked(true);
        awaiting("the operator holds").until(() -> !failed() && control.isHeld());
    }

    /** Waits until so many checkpoints run at once. */
    void awaitConcurrentCheckpoints(int count) {
        awaiting("concurrent checkpoints")
                .until(
                        () ->
                                !failed()
                                        && checkpointStats()
                                                        .getCounts()
                                                        .getNumberOfInProgressCheckpoints()
                                                >= count);
    }

    /** Takes checkpoints until one holds records in flight. */
    void checkpointWithRecords() {
        awaiting("records in a checkpoint")
                .until(
                        () -> {
                            awaitAny(startCheckpoint());
                            CompletedCheckpointStats latest =
                                    checkpointStats().getHistory().getLatestCompletedCheckpoint();
                            return !failed() && latest != null && latest.getPersistedData() > 0;
                        });
    }

    /** Asks the adaptive scheduler for another parallelism of all operators. */
    void requireParallelism(int subtasks) throws Exception {
        JobResourceRequirements.Builder required = JobResourceRequirements.newBuilder();
        for (AccessExecutionJobVertex vertex :
                cluster.getExecutionGraph(id).get().getVerticesTopologically()) {
            required.setParallelismForJobVertex(vertex.getJobVertexId(), 1, subtasks);
        }
        cluster.updateJobResourceRequirements(id, required.build()).get();
    }

    /** Waits until all operators run with this parallelism. */
    void awaitParallelism(int subtasks) {
        awaiting("parallelism")
                .until(
                        () -> {
                            for (AccessExecutionJobVertex vertex :
                                    cluster.getExecutionGraph(id)
                                            .get()
                                            .getVerticesTopologically()) {
                                if (vertex.getParallelism() != subtasks) {
                                    return false;
                                }
                            }
                            return allTasksRun();
                        });
    }

    /** Fails the job and waits until it runs again, from a checkpoint. */
    void failAndRecover() throws Exception {
        long restores = restores();
        control.failOnce();
        awaiting("restore").until(() -> !failed() && restores() > restores);
        awaitRunning();
    }

    /** As {@link #failAndRecover}, while tasks write a checkpoint. */
    void failDuringCheckpoint() throws Exception {
        CompletableFuture<String> underWay = startCheckpoint();
        // The first to acknowledge is a source: its barriers are on their way to the state.
        awaiting("checkpoint under way")
                .pollInterval(Duration.ofMillis(1))
                .until(() -> underWay.isDone() || anyTaskAcknowledged());
        failAndRecover();
        awaitAny(underWay);
    }

    private boolean anyTaskAcknowledged() throws Exception {
        return checkpointStats().getHistory().getCheckpoints().stream()
                .filter(checkpoint -> checkpoint.getStatus().isInProgress())
                .anyMatch(checkpoint -> checkpoint.getNumberOfAcknowledgedSubtasks() > 0);
    }

    /** Starts a checkpoint and does not wait for it. */
    CompletableFuture<String> startCheckpoint() {
        return cluster.triggerCheckpoint(id);
    }

    /** Takes a checkpoint and returns its directory. */
    String checkpoint() throws Exception {
        while (true) {
            try {
                return startCheckpoint().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throwIfFailed();
                if (!isPassing(e.getCause())) {
                    throw e;
                }
            }
        }
    }

    /**
     * Whether the next checkpoint may succeed. Tasks that are running to the job manager decline
     * them a little longer; and a slow machine may need longer than the test's timeout.
     */
    private static boolean isPassing(Throwable failure) {
        return ExceptionUtils.findThrowable(failure, CheckpointException.class)
                .map(CheckpointException::getCheckpointFailureReason)
                .filter(
                        reason ->
                                reason == CheckpointFailureReason.CHECKPOINT_DECLINED_TASK_NOT_READY
                                        || reason == CheckpointFailureReason.CHECKPOINT_EXPIRED)
                .isPresent();
    }

    /** Lets some events pass and takes a checkpoint, so many times. */
    void takeCheckpoints(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            awaitEvents(EVENTS_BETWEEN_CHECKPOINTS);
            checkpoint();
        }
    }

    /** Waits until one of them has succeeded or failed. */
    private static void awaitAny(CompletableFuture<?>... futures)
            throws ExecutionException, InterruptedException, TimeoutException {
        CompletableFuture.anyOf(futures)
                .handle((result, failure) -> failure == null)
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Takes a savepoint of the running job and returns its directory. */
    String savepoint(Path below, SavepointFormatType format) throws Exception {
        return cluster.triggerSavepoint(id, below.toUri().toString(), false, format)
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Stops the job with a savepoint and returns its directory. */
    String stop(Path below, SavepointFormatType format) throws Exception {
        String path =
                cluster.stopWithSavepoint(id, below.toUri().toString(), false, format)
                        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(awaitEnd().isSuccess()).isTrue();
        return path;
    }

    /** Cancels the job and returns its newest retained checkpoint. */
    String cancel() throws Exception {
        cluster.cancelJob(id).get();
        awaitEnd();
        return newestCheckpoint();
    }

    /** The newest checkpoint that is complete on disk. */
    private String newestCheckpoint() throws IOException {
        try (Stream<Path> files = Files.list(checkpoints)) {
            return files.filter(directory -> Files.exists(directory.resolve("_metadata")))
                    .max(Comparator.comparingLong(RunningJob::number))
                    .orElseThrow(() -> new IOException("No checkpoint in " + checkpoints))
                    .toUri()
                    .toString();
        }
    }

    private static long number(Path checkpoint) {
        return Long.parseLong(checkpoint.getFileName().toString().replace("chk-", ""));
    }

    /** Lists the checkpoints that this run has on disk. */
    List<Path> checkpointsOnDisk() throws IOException {
        try (Stream<Path> files = Files.list(checkpoints)) {
            return files.filter(directory -> Files.exists(directory.resolve("_metadata"))).toList();
        }
    }

    /** Lets the events end and compares all results with the expected ones. */
    void finishAndCheck() throws Exception {
        control.stopLanes();
        long all = control.limit() * Event.LANES;
        awaiting("all timers").until(() -> !failed() && control.countedByTimers() == all);
        control.end();
        JobResult result = takeLastCheckpoints();
        result.getSerializedThrowable().ifPresent(RunningJob::fail);
        assertThat(control.contradictions()).isEmpty();
        assertThat(ExpectedResults.differences(control, plan.nullValues())).isEmpty();
        // A job that ends keeps no checkpoint, so each file left is a leak.
        awaiting("checkpoint files gone").untilAsserted(() -> assertThat(filesLeft()).isEmpty());
    }

    /** Takes checkpoints until the job has ended: a task that has finished waits for one. */
    private JobResult takeLastCheckpoints() throws Exception {
        CompletableFuture<JobResult> end = cluster.requestJobResult(id);
        awaiting("end")
                .until(
                        () -> {
                            // Flink forgets one that was asked for just before the end.
                            awaitAny(startCheckpoint(), end);
                            return end.isDone();
                        });
        return end.get();
    }

    /**
     * Files in the checkpoint directory, but for those that a changelog's tasks own: of them Flink
     * leaves the ones that came into no checkpoint, on any backend.
     */
    private List<Path> filesLeft() {
        return JobCluster.filesIn(checkpoints).stream()
                .filter(file -> !plan.isWithChangelog() || !isTaskOwned(file))
                .toList();
    }

    private static boolean isTaskOwned(Path file) {
        return file.getParent().getFileName().toString().equals("taskowned");
    }

    /** Waits until the job has ended in any way. */
    JobResult awaitEnd() throws ExecutionException, InterruptedException, TimeoutException {
        return cluster.requestJobResult(id).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Waits until the job has failed, and returns why. */
    Throwable awaitFailure() throws Exception {
        return awaitEnd().getSerializedThrowable().orElseThrow();
    }

    private boolean failed() throws Exception {
        throwIfFailed();
        return false;
    }

    private void throwIfFailed() throws Exception {
        if (cluster.getJobStatus(id).get() == JobStatus.FAILED) {
            awaitEnd().getSerializedThrowable().ifPresent(RunningJob::fail);
        }
    }

    private static void fail(Throwable cause) {
        throw new AssertionError("The job failed", cause);
    }

    private static ConditionFactory awaiting(String what) {
        return await(what).atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(LOOK_EVERY);
    }
}
