/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import javax.annotation.Nullable;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;

/**
 * One keyed state of a savepoint.
 *
 * @param id its position in the savepoint's meta info
 * @param name the name that it is registered under
 * @param filter says which of its entries are written, null when all are
 */
record SavedState(int id, String name, @Nullable EntryFilter filter) {

    /** Task thread only. */
    static SavedState of(int id, RegisteredKeyValueStateBackendMetaInfo<?, ?> metaInfo) {
        return new SavedState(id, metaInfo.getName(), EntryFilters.of(metaInfo));
    }
}
