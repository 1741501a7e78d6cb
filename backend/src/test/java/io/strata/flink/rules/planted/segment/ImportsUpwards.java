/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules.planted.segment;

import io.strata.flink.rules.planted.engine.Innocent;

/** A segment must not know the engine above it. */
class ImportsUpwards {
    Object upwards() {
        return new Innocent();
    }
}
