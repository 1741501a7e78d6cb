/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.apache.flink.configuration.description.TextElement.text;

import org.apache.flink.configuration.DescribedEnum;
import org.apache.flink.configuration.description.InlineElement;

/** Where timers are kept: the values of {@link StrataOptions#TIMERS}. */
public enum TimerStorage implements DescribedEnum {
    HEAP("On the heap, part of every checkpoint."),
    TIERED("The near future on the heap, the rest on disk. Not available yet.");

    private final String description;

    TimerStorage(String description) {
        this.description = description;
    }

    @Override
    public InlineElement getDescription() {
        return text(description);
    }
}
