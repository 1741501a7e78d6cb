/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The rules of the house as tests: which package may import which, which calls are forbidden and
 * what to use instead, and what every source file looks like.
 *
 * <p>A rule that cannot fail is worth nothing: each is also run against the classes in {@code
 * planted}, which break it on purpose.
 */
package io.strata.flink.rules;
