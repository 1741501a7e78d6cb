/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged jar carries all of Strata and nothing else, and Flink finds the backend in it. */
class OneJarIT {

    private static final long JOB_SECONDS = 300;
    private static final Path JAR = Path.of(System.getProperty("strata.jar")).normalize();

    @Test
    void holdsOurClassesAndLicenceOnly() throws IOException {
        List<String> files = filesInJar();

        assertThat(files)
                .contains(
                        "io/strata/flink/StrataStateBackendFactory.class",
                        "io/strata/flink/format/key/OrderKeys.class",
                        "META-INF/LICENSE",
                        "META-INF/NOTICE")
                .allMatch(OneJarIT::isOurs, "is ours")
                .noneMatch(name -> name.endsWith("Test.class") || name.contains("/rules/"));
    }

    /** The rule above can fail. */
    @Test
    void foreignFilesAreNotOurs() {
        assertThat(
                        List.of(
                                "net/jpountz/xxhash/XXHash64.class",
                                "META-INF/maven/pom.xml",
                                "A.class"))
                .noneMatch(OneJarIT::isOurs);
    }

    @Test
    void flinkLoadsTheBackendByName() throws Exception {
        try (FlinkWithJar flink = new FlinkWithJar(JAR)) {
            Object backend = loadBackend(flink);

            assertThat(backend.getClass().getName())
                    .isEqualTo("io.strata.flink.StrataStateBackend");
            assertThat(backend.getClass().getClassLoader()).isSameAs(flink.loader());
            Path origin =
                    Path.of(
                            backend.getClass()
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI());
            assertThat(origin).isEqualTo(JAR);
        }
    }

    /** Every class of the jar links against Flink's jars alone. */
    @Test
    void everyClassLinks() throws Exception {
        try (FlinkWithJar flink = new FlinkWithJar(JAR)) {
            for (String file : filesInJar()) {
                if (file.endsWith(".class") && !file.endsWith("package-info.class")) {
                    String name = file.substring(0, file.length() - 6).replace('/', '.');
                    assertThat(flink.load(name).getDeclaredMethods()).isNotNull();
                }
            }
        }
    }

    @Test
    void runsAJob(@TempDir Path scratch) throws Exception {
        Path jobClasses = Files.createDirectories(scratch.resolve("job"));
        copyJobTo(jobClasses);
        Path output = scratch.resolve("output.txt");
        Process process =
                new ProcessBuilder(jobCommand(jobClasses, scratch.resolve("checkpoints")))
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(JOB_SECONDS, TimeUnit.SECONDS)).as("ended").isTrue();
        } finally {
            process.destroyForcibly();
        }

        // Each key emits 1, 2, ..., RECORDS_PER_KEY.
        long perKey = OneJarJob.RECORDS_PER_KEY * (OneJarJob.RECORDS_PER_KEY + 1L) / 2;
        assertThat(output)
                .content()
                .contains(OneJarJob.RESULT + perKey * OneJarJob.KEYS + System.lineSeparator());
        assertThat(process.exitValue()).isZero();
    }

    private static List<String> jobCommand(Path jobClasses, Path checkpoints) {
        String classPath =
                Stream.concat(FlinkWithJar.classPath(JAR).stream(), Stream.of(jobClasses))
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-"))
                .forEach(command::add);
        Collections.addAll(command, "-Xmx512m", "-cp", classPath, OneJarJob.class.getName());
        command.add(checkpoints.toUri().toString());
        return command;
    }

    /** The job alone: its package holds the tests, which Flink must not see. */
    private static void copyJobTo(Path directory) throws IOException {
        String folder = OneJarJob.class.getPackageName().replace('.', '/');
        Path target = Files.createDirectories(directory.resolve(folder));
        for (Class<?> type : List.of(OneJarJob.class, OneJarJob.Count.class)) {
            String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
            try (InputStream bytes = type.getResourceAsStream(file)) {
                Files.copy(bytes, target.resolve(file));
            }
        }
    }

    private static Object loadBackend(FlinkWithJar flink) throws Exception {
        Class<?> configuration = flink.load("org.apache.flink.configuration.Configuration");
        Object config =
                configuration
                        .getMethod("fromMap", Map.class)
                        .invoke(
                                null,
                                Map.of(
                                        "state.backend.type",
                                        "io.strata.flink.StrataStateBackendFactory"));
        Method load =
                flink.load("org.apache.flink.runtime.state.StateBackendLoader")
                        .getMethod(
                                "loadStateBackendFromConfig",
                                flink.load("org.apache.flink.configuration.ReadableConfig"),
                                ClassLoader.class,
                                flink.load("org.slf4j.Logger"));
        return load.invoke(null, config, flink.loader(), null);
    }

    private static boolean isOurs(String name) {
        return name.startsWith("io/strata/flink/")
                || List.of("META-INF/MANIFEST.MF", "META-INF/LICENSE", "META-INF/NOTICE")
                        .contains(name);
    }

    private static List<String> filesInJar() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            return jar.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(ZipEntry::getName)
                    .toList();
        }
    }
}
