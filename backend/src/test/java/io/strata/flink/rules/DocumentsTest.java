/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents point at files that are there and at tests that exist. */
class DocumentsTest {

    private static final Pattern LINK = Pattern.compile("]\\(([^)#]+)[^)]*\\)");
    private static final Pattern TEST_NAME = Pattern.compile("`([A-Z]\\w*(?:Test|IT))(?:#\\w+)?`");

    @Test
    void linksLeadSomewhere() throws IOException {
        for (Path document : documents()) {
            assertThat(brokenLinks(document, Files.readString(document)))
                    .as("links in %s", document)
                    .isEmpty();
        }
    }

    @Test
    void namedTestsExist() throws IOException {
        Set<String> names = testNames();
        for (Path document : documents()) {
            assertThat(unknownTests(Files.readString(document), names))
                    .as("tests named in %s", document)
                    .isEmpty();
        }
    }

    /** Both rules can fail. */
    @Test
    void findsPlantedMistakes() {
        Path document = SourceFiles.projectRoot().resolve("planted.md");
        String text = "[a](README.md) [b](missing.md#part) [c](https://example.org) `GoneTest#a`";

        assertThat(brokenLinks(document, text)).containsExactly("missing.md");
        assertThat(unknownTests(text, Set.of("OtherTest"))).containsExactly("GoneTest");
    }

    private static List<String> brokenLinks(Path document, String text) {
        return found(LINK, text).stream()
                .filter(link -> !link.contains("://"))
                .filter(link -> !Files.exists(document.resolveSibling(link)))
                .toList();
    }

    private static List<String> unknownTests(String text, Set<String> known) {
        return found(TEST_NAME, text).stream().filter(name -> !known.contains(name)).toList();
    }

    private static List<String> found(Pattern pattern, String text) {
        List<String> all = new ArrayList<>();
        for (Matcher matcher = pattern.matcher(text); matcher.find(); ) {
            all.add(matcher.group(1));
        }
        return all;
    }

    private static Set<String> testNames() throws IOException {
        return SourceFiles.all().stream()
                .map(file -> file.name().substring(file.folder().length() + 1))
                .map(name -> name.replace(".java", ""))
                .collect(Collectors.toSet());
    }

    private static List<Path> documents() throws IOException {
        Path root = SourceFiles.projectRoot();
        try (Stream<Path> top = Files.list(root);
                Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            return Stream.concat(top, docs)
                    .filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }
}
