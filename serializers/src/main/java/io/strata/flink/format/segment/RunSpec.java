/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

/**
 * What a run is of.
 *
 * @param stateName the state whose records it holds
 * @param grouped true when the high 32 bits of the order keys are a group hash (map states), which
 *     its filters then hold too
 * @param schemaId identifies the serializers that wrote the keys and values
 */
public record RunSpec(String stateName, boolean grouped, long schemaId) {

    public RunSpec {
        if (stateName == null) {
            throw new IllegalArgumentException("a run needs the name of its state");
        }
    }
}
