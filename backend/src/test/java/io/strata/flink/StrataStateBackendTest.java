/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.StateBackendLoader;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads, configures and ships the backend. */
class StrataStateBackendTest {

    private static final ClassLoader LOADER = StrataStateBackendTest.class.getClassLoader();

    @ParameterizedTest
    @ValueSource(strings = {"state.backend.type", "state.backend"})
    void loadsThroughFlinksConfiguration(String key) throws Exception {
        Configuration config =
                Configuration.fromMap(
                        Map.of(
                                key,
                                StrataStateBackendFactory.class.getName(),
                                "state.backend.strata.page-size",
                                "8kb"));

        StateBackend backend = StateBackendLoader.loadStateBackendFromConfig(config, LOADER, null);

        assertThat(backend)
                .isInstanceOfSatisfying(
                        StrataStateBackend.class,
                        strata -> assertThat(strata.settings().pageBytes()).isEqualTo(8192));
        assertThat(backend.useManagedMemory()).isTrue();
        assertThat(backend.supportsNoClaimRestoreMode()).isTrue();
        assertThat(SavepointFormatType.values()).allMatch(backend::supportsSavepointFormat);
    }

    @Test
    void failsOnBadOptionsWhileLoading() {
        Configuration config =
                Configuration.fromMap(
                        Map.of(
                                "state.backend.type",
                                StrataStateBackendFactory.class.getName(),
                                "state.backend.strata.page-size",
                                "1b"));

        assertThatThrownBy(
                        () -> StateBackendLoader.loadStateBackendFromConfig(config, LOADER, null))
                .isInstanceOf(StrataConfigurationException.class);
    }

    @Test
    void prefersTheProgramToTheCluster() throws Exception {
        StrataStateBackend program =
                new StrataStateBackend()
                        .set(StrataOptions.HOT_SIZE, MemorySize.ofMebiBytes(3))
                        .set(StrataOptions.TRANSFER_THREADS, 7);
        Configuration cluster = new Configuration();
        cluster.set(StrataOptions.HOT_FRACTION, 0.2);
        cluster.set(StrataOptions.TRANSFER_THREADS, 2);
        cluster.set(StrataOptions.FILTER_BITS, 12);
        cluster.set(CheckpointingOptions.INCREMENTAL_CHECKPOINTS, true);

        StateBackend merged =
                StateBackendLoader.fromApplicationOrConfigOrDefault(
                        program, new Configuration(), cluster, LOADER, null);

        StrataSettings settings = ((StrataStateBackend) merged).settings();
        assertThat(settings.hotBytes()).isEqualTo(3 << 20);
        assertThat(settings.transferThreads()).isEqualTo(7);
        assertThat(settings.filterBitsPerRecord()).isEqualTo(12);
        assertThat(program.settings().filterBitsPerRecord()).isEqualTo(10);
    }

    @Test
    void keepsItsSettingsWhenABadOneIsSet() {
        StrataStateBackend backend = new StrataStateBackend().set(StrataOptions.FILTER_BITS, 12);

        assertThatThrownBy(() -> backend.set(StrataOptions.FILTER_BITS, 1000))
                .isInstanceOf(StrataConfigurationException.class);
        assertThat(backend.settings().filterBitsPerRecord()).isEqualTo(12);
    }

    @Test
    void travelsSerialized() throws Exception {
        StrataStateBackend backend =
                new StrataStateBackend()
                        .set(StrataOptions.LOCAL_DIRECTORIES, "/a")
                        .set(StrataOptions.FILTER_BITS, 12);

        StrataStateBackend copy = InstantiationUtil.clone(backend);

        assertThat(copy.settings()).isEqualTo(backend.settings());
        StrataStateBackend configured = copy.configure(new Configuration(), LOADER);
        assertThat(configured.settings()).isEqualTo(backend.settings());
    }

    @Test
    void isIncrementalUnlessTheOptionSaysFalse() {
        assertThat(configured(Map.of()).incremental()).isTrue();
        assertThat(configured(Map.of("execution.checkpointing.incremental", "true")).incremental())
                .isTrue();
        assertThat(configured(Map.of("execution.checkpointing.incremental", "false")).incremental())
                .isFalse();
        assertThat(configured(Map.of("state.backend.incremental", "false")).incremental())
                .isFalse();
        assertThatThrownBy(
                        () ->
                                configured(
                                        Map.of("execution.checkpointing.incremental", "sometimes")))
                .isInstanceOf(StrataConfigurationException.class)
                .hasMessageContaining("'execution.checkpointing.incremental' is 'sometimes'");
    }

    private static StrataSettings configured(Map<String, String> config) {
        return new StrataStateBackend().configure(Configuration.fromMap(config), LOADER).settings();
    }
}
