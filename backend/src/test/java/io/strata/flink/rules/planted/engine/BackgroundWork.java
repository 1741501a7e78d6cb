/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules.planted.engine;

/** Background work must not know the store; a static function of it does no harm. */
class BackgroundWork implements Runnable {
    private final TieredStore store = new TieredStore();

    @Override
    public void run() {
        if (TieredStore.constant() > 0) {
            store.change();
        }
    }
}
