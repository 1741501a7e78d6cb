/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.snapshot;

import javax.annotation.Nullable;

/**
 * How one backend takes its checkpoints.
 *
 * @param incremental whether checkpoints refer to files of earlier ones
 * @param localCopies where each checkpoint gets a task-local copy, or null for none
 */
public record CheckpointPolicy(boolean incremental, @Nullable LocalCopies localCopies) {}
