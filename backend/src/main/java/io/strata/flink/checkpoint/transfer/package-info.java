/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The moving of files: between the local directory and a checkpoint, several at a time, or to and
 * from a task-local copy of a checkpoint by links. Whatever arrives is verified on its way (I4).
 */
package io.strata.flink.checkpoint.transfer;
