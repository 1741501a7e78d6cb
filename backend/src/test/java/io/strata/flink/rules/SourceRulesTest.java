/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.rules.SourceFiles.Source;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What every source file looks like; each rule is also shown a file that breaks it. */
class SourceRulesTest {

    private static final int MAX_LINES = 600;
    private static final String HEADER =
            "/*\n * Copyright The Strata Authors.\n * SPDX-License-Identifier: Apache-2.0\n */\n";
    private static final Pattern DEFERRED =
            Pattern.compile("\\b(TO" + "DO|FIX" + "ME|X" + "XX)\\b");

    private static final Predicate<Source> LACKS_HEADER = file -> !file.text().startsWith(HEADER);
    private static final Predicate<Source> TOO_LONG =
            file -> file.text().lines().count() > MAX_LINES;
    private static final Predicate<Source> DEFERS_WORK =
            file -> DEFERRED.matcher(file.text()).find();

    @Test
    void everyFileStartsWithTheHeader() throws IOException {
        assertThat(breaking(LACKS_HEADER, SourceFiles.all()))
                .as("files without the licence header (mvn spotless:apply adds it)")
                .isEmpty();
        assertThat(breaking(LACKS_HEADER, planted("class A {}"))).containsExactly("m/p/A.java");
    }

    @Test
    void noFileIsLongerThan600Lines() throws IOException {
        assertThat(breaking(TOO_LONG, SourceFiles.all()))
                .as("files of more than 600 lines: split by what changes together")
                .isEmpty();
        assertThat(breaking(TOO_LONG, planted("\n".repeat(MAX_LINES + 1))))
                .containsExactly("m/p/A.java");
        assertThat(breaking(TOO_LONG, planted("\n".repeat(MAX_LINES)))).isEmpty();
    }

    @Test
    void noFileDefersWork() throws IOException {
        assertThat(breaking(DEFERS_WORK, SourceFiles.all()))
                .as("files that defer work: open an issue instead")
                .isEmpty();
        assertThat(breaking(DEFERS_WORK, planted("// TO" + "DO later"))).isNotEmpty();
    }

    @Test
    void everyPackageOfMainCodeIsDescribed() throws IOException {
        assertThat(foldersWithoutPackageInfo(SourceFiles.main()))
                .as("packages without package-info.java")
                .isEmpty();
        assertThat(foldersWithoutPackageInfo(planted("class A {}"))).containsExactly("m/p");
    }

    @Test
    void everyPublicTypeHasJavadoc() throws IOException {
        assertThat(UndocumentedTypes.in(SourceFiles.main()))
                .as("public types without Javadoc: say first what the thing is")
                .isEmpty();
        String nested = "/** A. */ public class A { public record B() {} class C {} }";
        assertThat(UndocumentedTypes.in(planted(nested))).containsExactly("/m/p/A.java: B");
    }

    private static List<String> breaking(Predicate<Source> rule, List<Source> sources) {
        return sources.stream().filter(rule).map(Source::name).collect(Collectors.toList());
    }

    private static Set<String> foldersWithoutPackageInfo(List<Source> sources) {
        Set<String> folders = sources.stream().map(Source::folder).collect(Collectors.toSet());
        sources.stream().filter(Source::isPackageInfo).map(Source::folder).forEach(folders::remove);
        return folders;
    }

    private static List<Source> planted(String text) {
        return List.of(new Source("m/p/A.java", text));
    }
}
