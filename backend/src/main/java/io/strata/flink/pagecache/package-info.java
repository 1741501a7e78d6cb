/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The page cache: pages of segments in off-heap memory, so that a lookup rarely reads a file.
 *
 * <p>One {@link io.strata.flink.pagecache.PageMemory} is the budget that the backends of a slot
 * share; each backend has its own {@link io.strata.flink.pagecache.PageCache}, which only its task
 * thread touches. So a hit takes no lock. Memory moves between caches a {@link
 * io.strata.flink.pagecache.Slab} at a time:
 *
 * <ul>
 *   <li>A cache takes slabs while some are free, whatever the others have.
 *   <li>When none is free, a cache below its fair share (the total divided by the number of caches)
 *       claims one from the cache that has most; that one gives a slab back at its next access.
 *   <li>No cache is made to go below its fair share, so claims cannot go back and forth.
 * </ul>
 *
 * <p>{@code Replacement} decides which page leaves.
 */
package io.strata.flink.pagecache;
