/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.conformance;

import io.strata.flink.StrataOptions;
import io.strata.flink.StrataStateBackend;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.runtime.state.CheckpointStorage;
import org.apache.flink.runtime.state.StateBackendMigrationTestBase;
import org.apache.flink.runtime.state.storage.FileSystemCheckpointStorage;
import org.apache.flink.runtime.state.storage.JobManagerCheckpointStorage;
import org.apache.flink.testutils.junit.extensions.parameterized.Parameter;
import org.apache.flink.testutils.junit.extensions.parameterized.ParameterizedTestExtension;
import org.apache.flink.testutils.junit.extensions.parameterized.Parameters;
import org.junit.jupiter.api.extension.ExtendWith;

/** All tests that Flink has for changed serializers, wherever the state lives. */
@ExtendWith(ParameterizedTestExtension.class)
class MigrationConformanceTest extends StateBackendMigrationTestBase<StrataStateBackend> {

    /** Where the state lives, and where its checkpoints go. */
    enum Regime {
        ALL_HOT(options -> options.set(StrataOptions.HOT_SIZE, MemorySize.ofMebiBytes(256)), false),
        ALL_COLD(
                options -> {
                    options.set(StrataOptions.HOT_SIZE, MemorySize.ofMebiBytes(1));
                    options.set(StrataOptions.DEBUG_FLUSH_EVERY_OPERATIONS, 3);
                    options.set(StrataOptions.DEBUG_EVICT_ALL, true);
                    options.set(StrataOptions.DEBUG_COMPACT_EVERY_FLUSH, true);
                },
                true),
        MIXED(
                options -> {
                    options.set(StrataOptions.HOT_SIZE, new MemorySize(64 << 10));
                    options.set(StrataOptions.DEBUG_FLUSH_EVERY_OPERATIONS, 5);
                },
                true);

        private final Consumer<Configuration> options;
        private final boolean toFiles;

        Regime(Consumer<Configuration> options, boolean toFiles) {
            this.options = options;
            this.toFiles = toFiles;
        }
    }

    @Parameter public Regime regime;

    @Parameters(name = "{0}")
    public static List<Regime> regimes() {
        return List.of(Regime.values());
    }

    @Override
    protected StrataStateBackend getStateBackend() {
        Configuration configuration = new Configuration();
        regime.options.accept(configuration);
        return new StrataStateBackend().configure(configuration, getClass().getClassLoader());
    }

    @Override
    protected CheckpointStorage getCheckpointStorage() {
        return regime.toFiles
                ? new FileSystemCheckpointStorage(tempFolder.toUri(), 0)
                : new JobManagerCheckpointStorage();
    }
}
