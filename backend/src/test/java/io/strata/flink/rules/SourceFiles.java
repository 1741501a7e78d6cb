/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The project's source files, found from its root folder. */
final class SourceFiles {

    static final List<String> MODULES =
            List.of("serializers", "backend", "it-tests", "benchmarks", "flink-conf-examples");

    /** A source file: where it lies, seen from the project's root, and its text. */
    record Source(String name, String text) {

        boolean isPackageInfo() {
            return name.endsWith("package-info.java");
        }

        String folder() {
            return name.substring(0, name.lastIndexOf('/'));
        }
    }

    private SourceFiles() {}

    /** The folder that holds {@code .mvn}; Maven tells it, an IDE starts somewhere below. */
    static Path projectRoot() {
        String told = System.getProperty("strata.project.root");
        Path folder = Path.of(told == null ? "" : told).toAbsolutePath();
        while (!Files.isDirectory(folder.resolve(".mvn"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("No folder with .mvn above the working directory");
            }
        }
        return folder;
    }

    static List<Source> main() throws IOException {
        return below("src/main/java");
    }

    static List<Source> all() throws IOException {
        List<Source> sources = new ArrayList<>(main());
        sources.addAll(below("src/test/java"));
        return sources;
    }

    private static List<Source> below(String folderOfModule) throws IOException {
        Path root = projectRoot();
        List<Source> sources = new ArrayList<>();
        for (String module : MODULES) {
            Path folder = root.resolve(module).resolve(folderOfModule);
            if (Files.isDirectory(folder)) {
                try (Stream<Path> files = Files.walk(folder)) {
                    for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                        if (file.toString().endsWith(".java")) {
                            String name = root.relativize(file).toString().replace('\\', '/');
                            sources.add(new Source(name, Files.readString(file)));
                        }
                    }
                }
            }
        }
        return sources;
    }
}
