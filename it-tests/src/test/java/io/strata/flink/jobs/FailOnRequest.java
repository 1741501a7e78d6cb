/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import org.apache.flink.api.common.functions.MapFunction;

/** Passes events on and fails when the {@link JobControl} asks for it. */
final class FailOnRequest implements MapFunction<Event, Event> {

    private static final long serialVersionUID = 1L;

    private final String control;

    FailOnRequest(JobControl control) {
        this.control = control.name();
    }

    @Override
    public Event map(Event event) {
        if (JobControl.of(control).takeFailure()) {
            throw new IllegalStateException("The test asked for this failure");
        }
        return event;
    }
}
