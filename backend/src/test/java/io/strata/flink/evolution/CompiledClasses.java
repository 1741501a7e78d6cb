/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Compiles the classes of one version of a job, so that versions differ under the same names. */
final class CompiledClasses {

    private CompiledClasses() {}

    /**
     * Returns a loader of classes.
     *
     * @param directory an empty one
     * @param sources by the simple names of the classes, which are in package {@code jobs}
     * @param libraries a class of each library that they use
     */
    static ClassLoader of(Path directory, Map<String, String> sources, Class<?>... libraries) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-nowarn",
                                "-proc:none",
                                "-d",
                                directory.toString(),
                                "-cp",
                                classPath(libraries)));
        try {
            Files.createDirectories(directory);
            for (Map.Entry<String, String> source : sources.entrySet()) {
                Path file = directory.resolve(source.getKey() + ".java");
                Files.writeString(file, "package jobs;\n" + source.getValue());
                arguments.add(file.toString());
            }
            int failures =
                    ToolProvider.getSystemJavaCompiler()
                            .run(null, null, null, arguments.toArray(new String[0]));
            if (failures != 0) {
                throw new IllegalStateException("cannot compile " + sources.keySet());
            }
            return new URLClassLoader(
                    new URL[] {directory.toUri().toURL()}, CompiledClasses.class.getClassLoader());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String classPath(Class<?>... libraries) {
        return Stream.of(libraries)
                .map(library -> library.getProtectionDomain().getCodeSource().getLocation())
                .map(URL::getPath)
                .collect(Collectors.joining(File.pathSeparator));
    }
}
