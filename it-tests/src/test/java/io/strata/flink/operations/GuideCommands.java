/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.operations;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The code blocks of a guide written in Markdown. */
final class GuideCommands {

    private final String guide;

    GuideCommands(String guide) {
        this.guide = guide;
    }

    /** Returns the lines of all blocks of a language, in the order of the guide. */
    List<String> lines(String language) {
        Pattern block = Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```");
        List<String> lines = new ArrayList<>();
        for (Matcher matcher = block.matcher(guide); matcher.find(); ) {
            matcher.group(1).lines().filter(line -> !line.isBlank()).forEach(lines::add);
        }
        return lines;
    }
}
