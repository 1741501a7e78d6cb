/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.ttl.EventTime;
import javax.annotation.Nullable;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;

/**
 * How a job tells Strata how far event time is, when {@link StrataOptions#TTL_TIME_CHARACTERISTIC}
 * is {@code event-time}: state with a time to live then expires by it.
 *
 * <pre>{@code
 * public void open(OpenContext context) {
 *     seen = getRuntimeContext().getState(descriptorWithTtl);
 *     eventTime = EventTimeTtl.of(getRuntimeContext());
 * }
 *
 * public void processElement(Event event, Context context, Collector<Event> out) {
 *     eventTime.advance(context.timerService().currentWatermark());
 *     ...
 * }
 * }</pre>
 *
 * <p>Any function with keyed state can do so, each operator for its own state. With the other time
 * characteristic, and on other backends, telling the time has no effect, so that a job need not
 * know on which backend it runs; those note an empty state of the name {@value #STATE_NAME}.
 *
 * <p>Belongs to the thread that runs the function.
 */
public final class EventTimeTtl {

    /** The name of the state through which a function reaches its backend. It holds nothing. */
    public static final String STATE_NAME = "strata-event-time-ttl";

    /** The state that a function asks for; Strata knows it by its class, and never registers it. */
    static final class Descriptor extends ValueStateDescriptor<Long> {

        private static final long serialVersionUID = 1L;

        @Nullable private transient EventTimeAdvance advance;

        Descriptor() {
            super(STATE_NAME, LongSerializer.INSTANCE);
        }

        void bind(EventTimeAdvance backend) {
            advance = backend;
        }
    }

    @Nullable private final EventTimeAdvance advance;

    private EventTimeTtl(@Nullable EventTimeAdvance advance) {
        this.advance = advance;
    }

    /** Returns what tells the time to the backend of the function that has this context. */
    public static EventTimeTtl of(RuntimeContext context) {
        Descriptor descriptor = new Descriptor();
        context.getState(descriptor);
        return new EventTimeTtl(descriptor.advance);
    }

    /** Returns what tells the time to the backend of this store of keyed state. */
    public static EventTimeTtl of(KeyedStateStore store) {
        Descriptor descriptor = new Descriptor();
        store.getState(descriptor);
        return new EventTimeTtl(descriptor.advance);
    }

    /**
     * Tells that event time has come to a point; earlier ones than told before have no effect.
     *
     * @param timestampMillis usually the current watermark; {@code Long.MIN_VALUE}, which Flink
     *     gives before the first watermark, has no effect
     */
    public void advance(long timestampMillis) {
        if (advance != null) {
            advance.advance(timestampMillis);
        }
    }

    /**
     * Returns how far event time is, in milliseconds; {@code Long.MIN_VALUE} when it was never
     * told, or has no effect here.
     */
    public long currentTimestamp() {
        return advance == null ? EventTime.UNSET : advance.clock().currentTimestamp();
    }
}
