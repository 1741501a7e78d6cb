/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package org.apache.flink.runtime.state.ttl;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.StrataOptions;
import io.strata.flink.StrataStateBackend;
import java.util.concurrent.RunnableFuture;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.fs.CloseableRegistry;
import org.apache.flink.runtime.checkpoint.CheckpointOptions;
import org.apache.flink.runtime.state.CheckpointableKeyedStateBackend;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.SavepointResources;
import org.apache.flink.runtime.state.SavepointSnapshotStrategy;
import org.apache.flink.runtime.state.SnapshotResult;
import org.apache.flink.runtime.state.SnapshotStrategyRunner;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.apache.flink.testutils.junit.extensions.parameterized.ParameterizedTestExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * All tests that Flink has for state with a time to live; a subclass chooses where the state lives.
 * In Flink's package, since one test looks into the state tables of the heap backend and must be
 * asked otherwise here.
 */
@ExtendWith(ParameterizedTestExtension.class)
public abstract class StrataTtlStateTestBase extends TtlStateTestBase {

    /** As many as the test of the heap backend has. */
    private static final int KEYS = 97 * StateBackendTestContext.NUMBER_OF_KEY_GROUPS;

    private static final int MAX_SNAPSHOT_BYTES = 1 << 24;

    /** Sets the options of the regime. */
    protected abstract void configure(Configuration configuration);

    private boolean takesSavepoints;

    /** Tests of what full snapshots hold take canonical savepoints, all others checkpoints. */
    @BeforeEach
    void chooseSnapshots(TestInfo test) {
        takesSavepoints =
                test.getTestMethod().orElseThrow().getName().endsWith("WithSnapshotCleanup");
    }

    @Override
    protected boolean incrementalCleanupSupported() {
        return true;
    }

    @Override
    protected StateBackendTestContext createStateBackendTestContext(TtlTimeProvider provider) {
        return new StateBackendTestContext(provider) {
            @Override
            protected StateBackend createStateBackend() {
                Configuration configuration = new Configuration();
                configure(configuration);
                return new StrataStateBackend()
                        .configure(configuration, getClass().getClassLoader());
            }

            @Override
            RunnableFuture<SnapshotResult<KeyedStateHandle>> triggerSnapshot() throws Exception {
                return takesSavepoints
                        ? triggerSavepoint(getKeyedStateBackend())
                        : super.triggerSnapshot();
            }
        };
    }

    /** As the runtime takes a canonical savepoint. */
    private static RunnableFuture<SnapshotResult<KeyedStateHandle>> triggerSavepoint(
            CheckpointableKeyedStateBackend<String> backend) throws Exception {
        SavepointResources<String> resources = backend.savepoint();
        RunnableFuture<SnapshotResult<KeyedStateHandle>> savepoint =
                new SnapshotStrategyRunner<>(
                                "savepoint",
                                new SavepointSnapshotStrategy<>(resources.getSnapshotResources()),
                                new CloseableRegistry(),
                                resources.getPreferredSnapshotExecutionType())
                        .snapshot(
                                1,
                                10,
                                new MemCheckpointStreamFactory(MAX_SNAPSHOT_BYTES),
                                CheckpointOptions.forCheckpointWithDefaultLocation());
        savepoint.run();
        return savepoint;
    }

    @TestTemplate
    @Override
    void testIncrementalCleanupWholeState() throws Exception {
        initTest(getConfBuilder(TTL).cleanupIncrementally(5, true).build());
        timeProvider.time = 0;
        for (int i = 0; i < KEYS; i++) {
            sbetc.setCurrentKey(Integer.toString(i));
            ctx().update(ctx().updateEmpty);
        }
        timeProvider.time = 120;
        for (int i = 0; i < KEYS; i++) {
            sbetc.setCurrentKey(Integer.toString(i));
        }
        for (int i = 0; i < KEYS; i++) {
            sbetc.setCurrentKey(Integer.toString(i));
            assertThat(ctx().isOriginalEmptyValue()).as("key %d is cleared", i).isTrue();
        }
    }

    /** Everything is hot, and only snapshots flush. */
    protected static void allHot(Configuration configuration) {
        configuration.setString(StrataOptions.HOT_SIZE.key(), "256 mb");
    }

    /** Whatever is clean leaves the heap with every 200th operation, and all runs are merged. */
    protected static void allCold(Configuration configuration) {
        configuration.setString(StrataOptions.HOT_SIZE.key(), "1 mb");
        configuration.set(StrataOptions.DEBUG_FLUSH_EVERY_OPERATIONS, 200);
        configuration.set(StrataOptions.DEBUG_EVICT_ALL, true);
        configuration.set(StrataOptions.DEBUG_COMPACT_EVERY_FLUSH, true);
    }

    /** A budget so small that a part of the state is cold. */
    protected static void mixed(Configuration configuration) {
        configuration.setString(StrataOptions.HOT_SIZE.key(), "64 kb");
        configuration.set(StrataOptions.DEBUG_FLUSH_EVERY_OPERATIONS, 300);
    }
}
