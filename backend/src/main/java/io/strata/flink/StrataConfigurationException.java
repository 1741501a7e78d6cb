/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import java.util.List;
import org.apache.flink.configuration.IllegalConfigurationException;

/** Thrown when options of Strata cannot be used; it names all of them at once. */
public class StrataConfigurationException extends IllegalConfigurationException {

    private static final long serialVersionUID = 1L;

    private final List<String> problems;

    /**
     * Creates the exception.
     *
     * @param problems one sentence a problem, each naming the option, the value and what is allowed
     */
    public StrataConfigurationException(List<String> problems) {
        super(message(problems));
        this.problems = List.copyOf(problems);
    }

    /** Returns what is wrong, one sentence a problem. */
    public List<String> problems() {
        return problems;
    }

    private static String message(List<String> problems) {
        StringBuilder text = new StringBuilder("The configuration of the Strata state backend ");
        text.append(problems.size() == 1 ? "has a problem:" : "has several problems:");
        for (String problem : problems) {
            text.append(System.lineSeparator()).append("  - ").append(problem);
        }
        return text.toString();
    }
}
