/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.metrics.Gauge;

/**
 * Passes flights on, and in the job's first attempt throws once: at the given flight or, when no
 * checkpoint has completed by then, as soon as one has.
 */
final class FailOnce extends RichMapFunction<Flight, Flight> implements CheckpointListener {

    private static final long serialVersionUID = 1L;

    /** Name of the gauge that tells how far the job has come. */
    static final String POSITION = "flights";

    private final long failAt;
    private transient volatile long position;
    private transient boolean firstAttempt;
    private transient boolean checkpointed;

    /** Fails at the flight with this sequence number; never if it is negative. */
    FailOnce(long failAt) {
        this.failAt = failAt;
    }

    @Override
    public void open(OpenContext context) {
        firstAttempt = getRuntimeContext().getTaskInfo().getAttemptNumber() == 0;
        getRuntimeContext().getMetricGroup().gauge(POSITION, (Gauge<Long>) () -> position);
    }

    @Override
    public Flight map(Flight flight) {
        position = flight.sequence() + 1;
        if (firstAttempt && checkpointed && failAt >= 0 && flight.sequence() >= failAt) {
            throw new IntendedFailure(flight.sequence());
        }
        return flight;
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
        checkpointed = true;
    }

    /** The failure that the example throws in the middle. */
    static final class IntendedFailure extends RuntimeException {

        private static final long serialVersionUID = 1L;

        IntendedFailure(long sequence) {
            super("Thrown on purpose at flight " + sequence);
        }
    }
}
