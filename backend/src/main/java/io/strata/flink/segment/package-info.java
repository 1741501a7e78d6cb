/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Segments: written once by a {@link io.strata.flink.segment.SegmentWriter}, then read as {@link
 * io.strata.flink.segment.Run runs} of an open, reference-counted {@link
 * io.strata.flink.segment.Segment}.
 *
 * <p>The bytes are specified in {@code io.strata.flink.format.segment}; this package moves them. In
 * the order in which a record travels: {@code SegmentWriter}, {@code Segment}, {@code Run}, {@code
 * FoundRecord} for a lookup, {@code RunCursor} for a scan. Pages always come through a {@link
 * io.strata.flink.segment.PageSource}, so that this package knows no cache.
 */
package io.strata.flink.segment;
