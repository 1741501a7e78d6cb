/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jar;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A class loader like that of a Flink process with our jar in {@code lib}: Flink's jars and what
 * they bring, the jar under test, and nothing of this build.
 */
final class FlinkWithJar implements AutoCloseable {

    /** On the class path of this test, but not in a Flink distribution's {@code lib}. */
    private static final Pattern NOT_IN_LIB =
            Pattern.compile(
                    ".*[/\\\\]("
                            + "target[/\\\\].*|io[/\\\\]strata[/\\\\].*"
                            + "|.*-tests\\.jar|flink-test-utils.*|flink-statebackend-rocksdb.*"
                            + "|(frocksdb|junit|assertj|awaitility|mockito|byte-buddy|hamcrest).*)");

    private final URLClassLoader loader;

    FlinkWithJar(Path jar) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (Path entry : classPath(jar)) {
            urls.add(entry.toUri().toURL());
        }
        loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    /** Returns what is on the class path of such a process. */
    static List<Path> classPath(Path jar) {
        List<Path> entries = new ArrayList<>();
        entries.add(jar);
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (entry.endsWith(".jar") && !NOT_IN_LIB.matcher(entry).matches()) {
                entries.add(Path.of(entry));
            }
        }
        return entries;
    }

    Class<?> load(String className) throws ClassNotFoundException {
        return Class.forName(className, true, loader);
    }

    ClassLoader loader() {
        return loader;
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
