/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.memory;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;

/**
 * A job that grows keyed state of one kind as fast as it can, and then reads all of it and checks
 * it: a wrong value fails the job.
 *
 * <p>{@code --type pojo --megabytes 100 --value-bytes 100 --rounds 2 --skewed false --parallelism
 * 2}
 */
final class MemoryJob {

    /** Accumulator: the keys that were checked. */
    static final String CHECKED = "checked keys";

    /** Accumulator: the changes that the checked keys had seen. */
    static final String CHANGES = "changes found";

    private MemoryJob() {}

    /** Runs it with the cluster and the options of the environment it is started in. */
    public static void main(String[] args) throws Exception {
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
        build(env, MemoryOptions.parse(Runtime.getRuntime().maxMemory(), args));
        env.execute("memory");
    }

    static void build(StreamExecutionEnvironment env, MemoryOptions options) {
        MemoryPlan plan = options.plan();
        Workload workload = options.type().workload(options.valueBytes());
        // One reader, so that the changes of a key come in order and before its check.
        env.fromSource(
                        new NumberSequenceSource(0, plan.numbers() - 1),
                        WatermarkStrategy.noWatermarks(),
                        "numbers")
                .uid("numbers")
                .setParallelism(1)
                .keyBy(number -> workload.flinkKey(plan.key(number)))
                .process(new ChangeAndCheck(plan, workload))
                .uid("state")
                .setParallelism(options.parallelism())
                .sinkTo(new DiscardingSink<>())
                .setParallelism(options.parallelism());
    }

    /** Changes the state of a key, or checks it. */
    private static final class ChangeAndCheck extends KeyedProcessFunction<Long, Long, Long> {

        private static final long serialVersionUID = 1L;

        private final MemoryPlan plan;
        private final Workload workload;
        private final LongCounter checked = new LongCounter();
        private final LongCounter changes = new LongCounter();

        ChangeAndCheck(MemoryPlan plan, Workload workload) {
            this.plan = plan;
            this.workload = workload;
        }

        @Override
        public void open(OpenContext context) {
            workload.open(getRuntimeContext(), plan);
            getRuntimeContext().addAccumulator(CHECKED, checked);
            getRuntimeContext().addAccumulator(CHANGES, changes);
        }

        @Override
        public void processElement(Long number, Context context, Collector<Long> out)
                throws Exception {
            long key = plan.key(number);
            if (!plan.isCheck(number)) {
                workload.change(key);
                return;
            }
            long found = workload.check(key);
            Workload.require(found == plan.changesOf(key), key, found + " changes");
            checked.add(1);
            changes.add(found);
        }
    }
}
