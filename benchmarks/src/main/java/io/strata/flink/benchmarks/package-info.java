/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What one access to keyed state costs on each backend, through Flink's keyed backend interface and
 * without a cluster.
 *
 * <p>{@link io.strata.flink.benchmarks.BackendComparison} drives one {@link
 * io.strata.flink.benchmarks.BackendWorker} process a backend in turn and prints a table; the
 * worker alone is the harness for a profiler. The {@code *Benchmark} classes give the same accesses
 * to JMH.
 */
package io.strata.flink.benchmarks;
