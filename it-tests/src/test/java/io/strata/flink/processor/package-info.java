/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Savepoints of Strata, read and written by Flink's State Processor API. */
package io.strata.flink.processor;
