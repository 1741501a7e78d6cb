/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Jobs whose types change while their state lives on: several versions of a schema at once, every
 * kind of serializer, and states that a job no longer has.
 */
package io.strata.flink.evolution;
