/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.state.AbstractKeyedStateBackend;
import org.apache.flink.runtime.state.AbstractManagedMemoryStateBackend;
import org.apache.flink.runtime.state.BackendBuildingException;
import org.apache.flink.runtime.state.ConfigurableStateBackend;
import org.apache.flink.runtime.state.DefaultOperatorStateBackendBuilder;
import org.apache.flink.runtime.state.OperatorStateBackend;

/**
 * The state backend with two tiers: live objects on the heap, segments on local disk.
 *
 * <p>Options come from two places: what the program {@link #set}s wins over what {@link #configure}
 * finds in Flink's configuration. Checkpoints are incremental unless Flink's {@code
 * execution.checkpointing.incremental} says false, whose own default that is. The object itself
 * holds settings only and travels from the client to the TaskManagers.
 */
public class StrataStateBackend extends AbstractManagedMemoryStateBackend
        implements ConfigurableStateBackend {

    private static final long serialVersionUID = 1L;

    /** What the program set; keeps its precedence through any number of configurations. */
    private final Configuration fromProgram;

    /** What the last configuration and the program say together. */
    private StrataSettings settings;

    /** Creates a backend with the default value of every option. */
    public StrataStateBackend() {
        this(new Configuration(), new Configuration());
    }

    private StrataStateBackend(Configuration fromProgram, ReadableConfig fromCluster) {
        this.fromProgram = new Configuration(fromProgram);
        this.settings = StrataSettings.from(merge(fromProgram, fromCluster));
    }

    /**
     * Sets one of {@link StrataOptions}, so that it wins over Flink's configuration.
     *
     * @throws StrataConfigurationException if the option is not one of Strata's or the value cannot
     *     be used; the backend then stays as it was
     */
    public <T> StrataStateBackend set(ConfigOption<T> option, T value) {
        Configuration changed = new Configuration(fromProgram);
        changed.set(option, value);
        settings = StrataSettings.from(changed);
        fromProgram.set(option, value);
        return this;
    }

    @Override
    public StrataStateBackend configure(ReadableConfig config, ClassLoader classLoader) {
        StrataStateBackend configured = new StrataStateBackend(fromProgram, config);
        configured.latencyTrackingConfigBuilder = latencyTrackingConfigBuilder.configure(config);
        configured.sizeTrackingConfigBuilder = sizeTrackingConfigBuilder.configure(config);
        return configured;
    }

    /** Returns the settings in force. */
    public StrataSettings settings() {
        return settings;
    }

    /** Every checkpoint can be made full, so the first one after a restore owns all its files. */
    @Override
    public boolean supportsNoClaimRestoreMode() {
        return true;
    }

    /** {@inheritDoc} All of them. */
    @Override
    public boolean supportsSavepointFormat(SavepointFormatType formatType) {
        return true;
    }

    @Override
    public <K> AbstractKeyedStateBackend<K> createKeyedStateBackend(
            KeyedStateBackendParameters<K> parameters) throws IOException {
        return new StrataKeyedStateBackendBuilder<>(
                        parameters,
                        settings,
                        latencyTrackingConfigBuilder
                                .setMetricGroup(parameters.getMetricGroup())
                                .build(),
                        sizeTrackingConfigBuilder
                                .setMetricGroup(parameters.getMetricGroup())
                                .build())
                .build();
    }

    /** Operator state is small and lives in Flink's own operator state backend. */
    @Override
    public OperatorStateBackend createOperatorStateBackend(
            OperatorStateBackendParameters parameters) throws BackendBuildingException {
        boolean asynchronousSnapshots = true;
        return new DefaultOperatorStateBackendBuilder(
                        parameters.getEnv().getUserCodeClassLoader().asClassLoader(),
                        parameters.getEnv().getExecutionConfig(),
                        asynchronousSnapshots,
                        parameters.getStateHandles(),
                        parameters.getCancelStreamRegistry())
                .build();
    }

    @Override
    public String toString() {
        return "StrataStateBackend{" + settings + "}";
    }

    private static Configuration merge(Configuration fromProgram, ReadableConfig fromCluster) {
        Map<String, String> merged = new HashMap<>();
        fromCluster
                .toMap()
                .forEach(
                        (key, value) -> {
                            if (StrataOptions.isRead(key)) {
                                merged.put(key, value);
                            }
                        });
        // Size and fraction answer the same question: the program's answer replaces the other.
        if (fromProgram.contains(StrataOptions.HOT_SIZE)) {
            merged.remove(StrataOptions.HOT_FRACTION.key());
        }
        if (fromProgram.contains(StrataOptions.HOT_FRACTION)) {
            merged.remove(StrataOptions.HOT_SIZE.key());
        }
        merged.putAll(fromProgram.toMap());
        return Configuration.fromMap(merged);
    }
}
