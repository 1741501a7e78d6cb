/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.processor;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.state.api.KeyedStateTransformation;
import org.apache.flink.state.api.OperatorIdentifier;
import org.apache.flink.state.api.OperatorTransformation;
import org.apache.flink.state.api.SavepointWriter;
import org.apache.flink.state.api.StateBootstrapTransformation;
import org.apache.flink.state.api.functions.KeyedStateBootstrapFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** Writes the state of the {@link NumbersJob} without running it. */
final class Writers {

    private Writers() {}

    /** Adds all operators, as if the job had seen all numbers once. */
    static SavepointWriter addAll(SavepointWriter writer, StreamExecutionEnvironment env) {
        return addAccounts(writer, env, 1)
                .withOperator(
                        OperatorIdentifier.forUid(NumbersJob.BAGS),
                        numbers(env, 1).window(Windows.assigner()).process(new Windows.Emit()))
                .withOperator(
                        OperatorIdentifier.forUid(NumbersJob.SUMS),
                        numbers(env, 1)
                                .window(Windows.assigner())
                                .reduce(Long::sum, new Windows.Emit()));
    }

    /** Adds the accounts, as if the job had seen all numbers several times over. */
    static SavepointWriter addAccounts(
            SavepointWriter writer, StreamExecutionEnvironment env, int times) {
        StateBootstrapTransformation<Long> accounts =
                numbers(env, times).transform(new WriteAccounts());
        return writer.withOperator(OperatorIdentifier.forUid(NumbersJob.ACCOUNTS), accounts);
    }

    private static KeyedStateTransformation<Long, Long> numbers(
            StreamExecutionEnvironment env, int times) {
        DataStream<Long> numbers =
                env.fromSequence(0, times * Accounts.NUMBERS - 1)
                        .setParallelism(1)
                        .map(number -> number % Accounts.NUMBERS)
                        .setParallelism(1)
                        .assignTimestampsAndWatermarks(
                                WatermarkStrategy.<Long>noWatermarks()
                                        .withTimestampAssigner((number, before) -> number))
                        .setParallelism(1);
        return OperatorTransformation.bootstrapWith(numbers).keyBy(Accounts::keyOf, Types.LONG);
    }

    private static final class WriteAccounts extends KeyedStateBootstrapFunction<Long, Long> {

        private static final long serialVersionUID = 1L;

        private transient Accounts accounts;

        @Override
        public void open(OpenContext openContext) {
            accounts = new Accounts(getRuntimeContext());
        }

        @Override
        public void processElement(Long number, Context context) throws Exception {
            accounts.add(number, context.timerService());
        }
    }
}
