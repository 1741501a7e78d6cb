/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules.planted.hot;

import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** The hot tier must not know a class of Flink, not even as a type argument. */
class KnowsFlink {
    List<TypeSerializer<?>> serializers;
}
