/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import java.util.List;

/**
 * What one window of one key came to.
 *
 * @param account of the {@link WindowAccounts} that keeps it
 * @param check a hash of key, window and contents: accounts add the checks up, so that a window
 *     that is lost, wrong or doubled shows in the sum
 */
public record WindowResult(String account, long check) {

    private static final int ACCOUNTS = 20;

    static WindowResult of(String kind, int key, long start, long end, Sums contents) {
        long hash = Event.mix(key * 31L + kind.hashCode());
        hash = Event.mix(hash ^ start);
        hash = Event.mix(hash ^ end);
        hash = Event.mix(hash ^ contents.count());
        hash = Event.mix(hash ^ contents.total());
        return new WindowResult(kind + "-" + key % ACCOUNTS, hash);
    }

    /** The contents of a window that keeps its events: their order counts. */
    static Sums inOrder(List<Event> events) {
        long hash = 0;
        for (Event event : events) {
            hash = Event.mix(hash ^ event.sequence() ^ event.amount() << 32);
        }
        return new Sums(events.size(), hash);
    }
}
