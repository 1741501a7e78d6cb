/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The packaged jar carries all of Strata and nothing else, and Flink finds the backend in it. */
class OneJarIT {

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
