/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The moving of files: between the local directory and a checkpoint, several at a time, or by links
 * where both are on one file system. Whatever arrives is verified on its way (I4).
 */
package io.strata.flink.checkpoint.transfer;
