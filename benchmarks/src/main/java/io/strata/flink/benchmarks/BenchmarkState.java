/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.util.FileUtils;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A loaded backend for a JMH benchmark. The default parameters are the hot regimes; for the warm
 * one, where the state is eight times the hot tier and the page cache holds all of it, see the
 * README of this module.
 */
@State(Scope.Thread)
public abstract class BenchmarkState {

    @Param({"hashmap", "rocksdb", "strata"})
    private String backend;

    @Param({"100000", "1000000"})
    private long keys;

    @Param("100")
    private int valueBytes;

    @Param("1024")
    private int hotMib;

    @Param("512")
    private int managedMib;

    @Param("10000")
    private int checkpointMillis;

    private final Access.Kind kind;
    private Path directory;
    private BackendSession session;
    private Workload workload;

    BenchmarkState(Access.Kind kind) {
        this.kind = kind;
    }

    /** Opens the backend, loads the state, and takes a checkpoint of it. */
    @Setup(Level.Trial)
    public void open() throws Exception {
        directory = Files.createTempDirectory("strata-benchmark-");
        WorkloadOptions options =
                new WorkloadOptions(keys, valueBytes, hotMib, managedMib, checkpointMillis);
        session = new BackendSession(MeasuredBackend.of(backend), options, directory, Map.of());
        workload = Workload.of(kind, session, options);
        workload.load();
        session.checkpoint();
    }

    @TearDown(Level.Trial)
    public void close() throws Exception {
        session.close();
        FileUtils.deleteDirectory(directory.toFile());
    }

    Workload workload() {
        return workload;
    }
}
