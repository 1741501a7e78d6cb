/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.eventtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;

/** An event of the tests; all of them follow from their number, out of order within a bound. */
public final class Click {

    /** How much earlier than one before an event may be. */
    static final long OUT_OF_ORDER_MILLIS = 2_000;

    /** How far watermarks stay behind: less, so that some events are late. */
    static final long WATERMARK_DELAY_MILLIS = 500;

    private static final long BEGIN_MILLIS = 1_700_000_000_000L;
    private static final long STEP_MILLIS = 50;
    private static final int USERS = 120;

    public long number;
    public int user;
    public long time;

    /** For Flink. */
    public Click() {}

    static Click of(long number) {
        Random random = new Random(number * 31 + 17);
        Click click = new Click();
        click.number = number;
        click.user = random.nextInt(USERS);
        click.time =
                BEGIN_MILLIS + number * STEP_MILLIS - random.nextInt((int) OUT_OF_ORDER_MILLIS);
        return click;
    }

    static List<Click> first(int count) {
        List<Click> clicks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clicks.add(of(i));
        }
        return clicks;
    }

    /** A watermark after every event, so that what an operator sees follows from the events. */
    static WatermarkStrategy<Click> watermarks() {
        return WatermarkStrategy.<Click>forGenerator(context -> new AfterEveryEvent())
                .withTimestampAssigner((click, timestamp) -> click.time);
    }

    private static final class AfterEveryEvent implements WatermarkGenerator<Click> {

        private long latest = Long.MIN_VALUE;

        @Override
        public void onEvent(Click click, long timestamp, WatermarkOutput output) {
            latest = Math.max(latest, timestamp);
            output.emitWatermark(new Watermark(latest - WATERMARK_DELAY_MILLIS));
        }

        @Override
        public void onPeriodicEmit(WatermarkOutput output) {}
    }
}
