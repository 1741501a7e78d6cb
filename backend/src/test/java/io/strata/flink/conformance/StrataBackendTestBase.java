/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.conformance;

import io.strata.flink.StrataStateBackend;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.state.CheckpointStorage;
import org.apache.flink.runtime.state.ConfigurableStateBackend;
import org.apache.flink.runtime.state.StateBackendTestBase;
import org.apache.flink.runtime.state.storage.FileSystemCheckpointStorage;
import org.apache.flink.runtime.state.storage.JobManagerCheckpointStorage;
import org.apache.flink.testutils.junit.extensions.parameterized.Parameter;
import org.apache.flink.testutils.junit.extensions.parameterized.ParameterizedTestExtension;
import org.apache.flink.testutils.junit.extensions.parameterized.Parameters;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** All tests that Flink has for a keyed state backend; a subclass chooses where the state lives. */
@ExtendWith(ParameterizedTestExtension.class)
abstract class StrataBackendTestBase extends StateBackendTestBase<StrataStateBackend> {

    /** Where checkpoints go. */
    enum Storage {
        JOB_MANAGER,
        FILES
    }

    @TempDir private Path directory;
    @Parameter public Storage storage;

    @Parameters(name = "{0}")
    public static List<Storage> storages() {
        return List.of(Storage.values());
    }

    /** Sets the options of the regime. */
    abstract void configure(Configuration configuration);

    @Override
    protected ConfigurableStateBackend getStateBackend() {
        Configuration configuration = new Configuration();
        configure(configuration);
        return new StrataStateBackend().configure(configuration, getClass().getClassLoader());
    }

    @Override
    protected CheckpointStorage getCheckpointStorage() {
        return storage == Storage.JOB_MANAGER
                ? new JobManagerCheckpointStorage()
                : new FileSystemCheckpointStorage(directory.toUri(), 0);
    }

    @Override
    protected boolean isSerializerPresenceRequiredOnRestore() {
        return false;
    }

    @Override
    protected boolean supportsAsynchronousSnapshots() {
        return true;
    }
}
