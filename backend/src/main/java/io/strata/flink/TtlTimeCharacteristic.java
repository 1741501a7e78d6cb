/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.apache.flink.configuration.description.TextElement.text;

import org.apache.flink.configuration.DescribedEnum;
import org.apache.flink.configuration.description.InlineElement;

/**
 * By which time state with a time to live expires: the values of {@link
 * StrataOptions#TTL_TIME_CHARACTERISTIC}.
 */
public enum TtlTimeCharacteristic implements DescribedEnum {
    PROCESSING_TIME("processing-time", "The time of the machine, as in Flink's own backends."),
    EVENT_TIME("event-time", "The event time that the job tells with EventTimeTtl.");

    private final String value;
    private final String description;

    TtlTimeCharacteristic(String value, String description) {
        this.value = value;
        this.description = description;
    }

    /** Returns the value as Flink's configuration has it. */
    @Override
    public String toString() {
        return value;
    }

    @Override
    public InlineElement getDescription() {
        return text(description);
    }
}
