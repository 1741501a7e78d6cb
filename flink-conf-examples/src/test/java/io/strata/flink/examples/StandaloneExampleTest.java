/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.StrataConfigurationException;
import io.strata.flink.StrataOptions;
import io.strata.flink.StrataSettings;
import io.strata.flink.StrataStateBackend;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.StateBackendLoader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file to copy works as it is, and with each of the options that it offers. */
class StandaloneExampleTest {

    private static final Path FILE = Path.of("standalone", "config.yaml");

    @TempDir private Path confDir;
    private ExampleFile example;

    @BeforeEach
    void readFile() throws IOException {
        example = ExampleFile.read(FILE);
    }

    @Test
    void loadsTheBackendWithItsDefaults() throws Exception {
        Configuration config = example.load(confDir);

        assertThat(settingsOf(config)).isEqualTo(StrataSettings.from(new Configuration()));
        assertThat(config.get(CheckpointingOptions.CHECKPOINTING_INTERVAL))
                .isEqualTo(Duration.ofSeconds(10));
        assertThat(config.get(CheckpointingOptions.CHECKPOINT_STORAGE)).isEqualTo("filesystem");
        assertThat(config.get(CheckpointingOptions.CHECKPOINTS_DIRECTORY)).startsWith("file:///");
    }

    @Test
    void offersEveryOptionThatUsersMaySet() {
        List<String> forUsers =
                StrataOptions.all().stream()
                        .map(ConfigOption::key)
                        .filter(key -> !key.startsWith(StrataOptions.PREFIX + "debug."))
                        .toList();

        assertThat(example.offeredOptions().keySet()).containsExactlyInAnyOrderElementsOf(forUsers);
    }

    @Test
    void everyOfferedOptionIsAcceptedAndShowsItsDefault() throws Exception {
        for (ConfigOption<?> option : StrataOptions.all()) {
            if (!example.offeredOptions().containsKey(option.key())) {
                continue;
            }
            Configuration config = example.with(option.key()).load(confDir);

            assertThat(config.containsKey(option.key())).as(option.key()).isTrue();
            settingsOf(config);
            if (option.hasDefaultValue()) {
                assertThat((Object) config.get(option))
                        .as(option.key())
                        .isEqualTo(option.defaultValue());
            }
        }
    }

    /** Bad lines in the file reach a person as one message that names all of them. */
    @Test
    void namesEveryBadLineAtOnce() throws Exception {
        Configuration config =
                example.with("state.backend.strata.hot.fraction")
                        .with("state.backend.strata.hot.size")
                        .plus(
                                "state.backend.strata.pagesize: 4kb",
                                "state.backend.strata.filter.bits: 10",
                                "state.backend.strata.timers: off-heap",
                                "state.backend.strata.background-threads: 0")
                        .load(confDir);

        assertThatThrownBy(() -> settingsOf(config))
                .isInstanceOf(StrataConfigurationException.class)
                .hasMessageContaining("'state.backend.strata.hot.size' is 2gb")
                .hasMessageContaining("'state.backend.strata.hot.fraction' is 0.4")
                .hasMessageContaining(nearest("pagesize", "page-size"))
                .hasMessageContaining(nearest("filter.bits", "filter.bits-per-record"))
                .hasMessageContaining("'state.backend.strata.timers' is 'off-heap'")
                .hasMessageContaining("'state.backend.strata.background-threads' is 0")
                .satisfies(
                        e -> assertThat(((StrataConfigurationException) e).problems()).hasSize(5));
    }

    /** Options written as a YAML tree are the same options. */
    @Test
    void readsNestedYaml() throws Exception {
        Configuration config =
                ExampleFile.of(
                                "state:",
                                "  backend:",
                                "    type: io.strata.flink.StrataStateBackendFactory",
                                "    strata:",
                                "      page-size: 8kb",
                                "      hot:",
                                "        size: 64mb")
                        .load(confDir);

        assertThat(settingsOf(config).pageBytes()).isEqualTo(8192);
        assertThat(settingsOf(config).hotBytes()).isEqualTo(64L << 20);
    }

    /** A misspelt branch of the tree is named with its whole key, at any depth. */
    @Test
    void namesUnknownNestedKeys() throws Exception {
        Configuration config =
                ExampleFile.of(
                                "state.backend.type: io.strata.flink.StrataStateBackendFactory",
                                "state.backend.strata:",
                                "  hot:",
                                "    fractoin: 0.5")
                        .load(confDir);

        assertThatThrownBy(() -> settingsOf(config))
                .isInstanceOf(StrataConfigurationException.class)
                .hasMessageContaining(nearest("hot.fractoin", "hot.fraction"));
    }

    private static String nearest(String given, String known) {
        String prefix = StrataOptions.PREFIX;
        return "'%s%s' is not an option. The nearest known option is '%s%s'"
                .formatted(prefix, given, prefix, known);
    }

    private static StrataSettings settingsOf(Configuration config) throws Exception {
        ClassLoader loader = StandaloneExampleTest.class.getClassLoader();
        StateBackend backend = StateBackendLoader.loadStateBackendFromConfig(config, loader, null);
        assertThat(backend).isInstanceOf(StrataStateBackend.class);
        return ((StrataStateBackend) backend).settings();
    }
}
