/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Bytes and how they are read without trust: reusable slices, var-ints, CRC32C checksums, bounded
 * readers and the exceptions that name a file which is not what it should be.
 *
 * <p>Everything multi-byte is little-endian. This package imports the JDK only.
 */
package io.strata.flink.format.bytes;
