/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.core.io.InputStatus;

/**
 * Reads some lanes in turns, an event of each, so that their event times stay together. Pauses at
 * the control's limit and between bursts.
 */
final class LaneReader implements SourceReader<Event, Lane> {

    /** Rounds over the lanes between two looks at the clock. */
    private static final int BURST_ROUNDS = 16;

    private final JobControl control;
    private final List<Lane> lanes = new ArrayList<>();
    private CompletableFuture<Void> news = new CompletableFuture<>();
    private CompletableFuture<Void> available = news;
    private boolean dealt;
    private int turn;
    private int rounds;
    private long burstStartNanos = System.nanoTime();

    LaneReader(JobControl control) {
        this.control = control;
    }

    @Override
    public void start() {}

    @Override
    public void addSplits(List<Lane> more) {
        lanes.addAll(more);
        news();
    }

    private void news() {
        CompletableFuture<Void> past = news;
        news = new CompletableFuture<>();
        past.complete(null);
    }

    @Override
    public void notifyNoMoreSplits() {
        dealt = true;
        news();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<Event> output) {
        // Every lane holds the watermark back from the start, not from its first event on.
        lanes.forEach(lane -> output.createOutputForSplit(lane.splitId()));
        CompletableFuture<Void> change = control.nextChange();
        if (lanes.isEmpty() && dealt) {
            // Not before: others would run ahead, and the first events would be late.
            output.markIdle();
        }
        if (lanes.stream().allMatch(lane -> lane.position() >= control.limit())) {
            if (control.isEnded()) {
                return InputStatus.END_OF_INPUT;
            }
            available = CompletableFuture.anyOf(change, news).thenAccept(any -> {});
            return InputStatus.NOTHING_AVAILABLE;
        }
        if (rounds >= BURST_ROUNDS && pause()) {
            return InputStatus.NOTHING_AVAILABLE;
        }
        emitNext(output);
        return InputStatus.MORE_AVAILABLE;
    }

    private void emitNext(ReaderOutput<Event> output) {
        Lane lane = lanes.get(turn);
        if (control.mayEmit(lane.position())) {
            Event event = Event.of(lane.number(), lane.position());
            output.createOutputForSplit(lane.splitId()).collect(event, event.timeMillis());
            lanes.set(turn, lane.next());
        }
        turn++;
        if (turn == lanes.size()) {
            turn = 0;
            rounds++;
        }
    }

    private boolean pause() {
        long burstNanos = TimeUnit.SECONDS.toNanos(BURST_ROUNDS) / control.roundsPerSecond();
        long remainingNanos = burstStartNanos + burstNanos - System.nanoTime();
        if (remainingNanos <= 0) {
            rounds = 0;
            burstStartNanos = System.nanoTime();
            return false;
        }
        available =
                CompletableFuture.runAsync(
                        () -> {},
                        CompletableFuture.delayedExecutor(remainingNanos, TimeUnit.NANOSECONDS));
        return true;
    }

    @Override
    public List<Lane> snapshotState(long checkpointId) {
        return List.copyOf(lanes);
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
        return available;
    }

    @Override
    public void close() {}
}
