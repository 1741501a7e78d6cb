/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

/** State of one kind in a backend, and the accesses to it. Used by one thread. */
public interface Workload {

    /** Entries of one map, elements of one list at the start. */
    int PER_KEY = 10;

    /** Fills the state with all its entries. */
    void load() throws Exception;

    /** One read; what it returns depends on what was read. */
    int read() throws Exception;

    /** One write: for values, a read followed by an update. */
    int write() throws Exception;

    /** Makes the workload of one kind of state. */
    static Workload of(Access.Kind kind, BackendSession session, WorkloadOptions options)
            throws Exception {
        return switch (kind) {
            case VALUE -> new ValueWorkload(session, options);
            case MAP -> new MapWorkload(session, options);
            case LIST -> new ListWorkload(session, options);
        };
    }

    /** Does the access once. */
    default int step(Access access) throws Exception {
        return access.writes() ? write() : read();
    }
}
