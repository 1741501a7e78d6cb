/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.processor;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.state.api.functions.KeyedStateReaderFunction;
import org.apache.flink.state.api.functions.WindowReaderFunction;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** Functions that tell what is in a savepoint. */
final class Readers {

    private Readers() {}

    /** One line a key: its states and its timers. */
    static final class ReadAccounts extends KeyedStateReaderFunction<Long, String> {

        private static final long serialVersionUID = 1L;

        private transient Accounts accounts;

        @Override
        public void open(OpenContext openContext) {
            accounts = new Accounts(getRuntimeContext());
        }

        @Override
        public void readKey(Long key, Context context, Collector<String> out) throws Exception {
            out.collect(
                    accounts.describe(
                            key,
                            context.registeredEventTimeTimers(),
                            context.registeredProcessingTimeTimers()));
        }
    }

    /** One line a window. */
    static final class ReadWindows extends WindowReaderFunction<Long, String, Long, TimeWindow> {

        private static final long serialVersionUID = 1L;

        @Override
        public void readWindow(
                Long key,
                Context<TimeWindow> context,
                Iterable<Long> numbers,
                Collector<String> out)
                throws Exception {
            if (!context.registeredEventTimeTimers().contains(context.window().maxTimestamp())) {
                throw new IllegalStateException(
                        "Window " + context.window() + " of key " + key + " has no timer");
            }
            out.collect(Windows.text(key, context.window(), numbers));
        }
    }
}
