/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Files: the only package that opens, writes, links or deletes any (I3).
 *
 * <p>Everything above reads and writes through a {@link io.strata.flink.io.StorageDirectory}, so
 * that one fault-injecting directory can fail, tear, cut, flip or fill any file of the backend.
 * Every {@link java.io.IOException} that leaves this package names the file.
 */
package io.strata.flink.io;
