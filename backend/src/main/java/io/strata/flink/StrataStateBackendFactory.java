/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.state.StateBackendFactory;

/**
 * Creates the backend from Flink's configuration: {@code state.backend.type:
 * io.strata.flink.StrataStateBackendFactory}, or the same under the older key {@code
 * state.backend}.
 */
public class StrataStateBackendFactory implements StateBackendFactory<StrataStateBackend> {

    /**
     * Creates a backend that has read the options under {@link StrataOptions#PREFIX}.
     *
     * @throws StrataConfigurationException if the options cannot be used
     */
    @Override
    public StrataStateBackend createFromConfig(ReadableConfig config, ClassLoader classLoader) {
        return new StrataStateBackend().configure(config, classLoader);
    }
}
