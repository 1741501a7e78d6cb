/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jar;

import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;

/** A small job that counts records per key, on a cluster in its own process. */
public final class OneJarJob {

    static final int KEYS = 5_000;
    static final int RECORDS_PER_KEY = 4;
    static final String RESULT = "sum of all counts: ";

    private OneJarJob() {}

    /** Runs the job on Strata and prints the sum of all counts that it emitted. */
    public static void main(String[] args) throws Exception {
        Configuration config =
                Configuration.fromMap(
                        Map.of(
                                "state.backend.type",
                                "io.strata.flink.StrataStateBackendFactory",
                                "state.backend.strata.hot.size",
                                "64kb",
                                "execution.checkpointing.interval",
                                "50 ms",
                                "execution.checkpointing.dir",
                                args[0]));
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(1, config);
        long sum = 0;
        try (CloseableIterator<Long> counts =
                env.fromSequence(0, (long) KEYS * RECORDS_PER_KEY - 1)
                        .keyBy(record -> record % KEYS, Types.LONG)
                        .map(new Count())
                        .executeAndCollect()) {
            while (counts.hasNext()) {
                sum += counts.next();
            }
        }
        System.out.println(RESULT + sum);
    }

    /** Counts the records of a key and emits the count so far. */
    public static final class Count extends RichMapFunction<Long, Long> {
        private static final long serialVersionUID = 1L;

        private transient ValueState<Long> count;

        @Override
        public void open(OpenContext context) {
            count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
        }

        @Override
        public Long map(Long record) throws Exception {
            Long before = count.value();
            long now = before == null ? 1 : before + 1;
            count.update(now);
            return now;
        }
    }
}
