/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Proof by process that Strata does not run out of memory: a TaskManager in a JVM of its own, with
 * the limits that Flink derives from {@code taskmanager.memory.process.size}, works on state that
 * is many times its heap, while the operating system is asked how much memory it takes.
 */
package io.strata.flink.memory;
