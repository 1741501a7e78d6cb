/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.ttl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.StateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.RegisteredPriorityQueueStateBackendMetaInfo;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.CommonOptionsKeys;
import org.apache.flink.runtime.state.metainfo.StateMetaInfoSnapshot.CommonSerializerKeys;
import org.apache.flink.runtime.state.ttl.TtlValue;
import org.junit.jupiter.api.Test;

class EventTimeTest {

    private static final StateMetaInfoSnapshot STATE = state("state");

    @Test
    void travelsInTheMetaInfoOfEveryKeyedState() {
        StateMetaInfoSnapshot queue =
                new RegisteredPriorityQueueStateBackendMetaInfo<>("timers", IntSerializer.INSTANCE)
                        .snapshot();

        List<StateMetaInfoSnapshot> states =
                new EventTime(-5, 77).addTo(List.of(STATE, queue, state("other")));

        assertThat(EventTime.of(states)).isEqualTo(new EventTime(-5, 77));
        assertThat(EventTime.of(states.subList(2, 3))).isEqualTo(new EventTime(-5, 77));
        assertThat(EventTime.of(states.subList(1, 2))).isEqualTo(EventTime.NONE);
        StateMetaInfoSnapshot told = states.get(0);
        assertThat(told.getOption(CommonOptionsKeys.KEYED_STATE_TYPE)).isEqualTo("VALUE");
        assertThat(told.getTypeSerializer(CommonSerializerKeys.VALUE_SERIALIZER.toString()))
                .isEqualTo(StringSerializer.INSTANCE);
        assertThat(new RegisteredKeyValueStateBackendMetaInfo<>(told).getStateSerializer())
                .isEqualTo(StringSerializer.INSTANCE);
    }

    @Test
    void isNotWrittenBeforeItWasTold() {
        assertThat(EventTime.NONE.addTo(List.of(STATE))).containsExactly(STATE);
        assertThat(EventTime.of(List.of(STATE))).isEqualTo(EventTime.NONE);
    }

    @Test
    void ofSeveralBackendsTheLeastTimeAndTheLatestStartCount() {
        EventTime one = new EventTime(10, 100);
        EventTime other = new EventTime(20, 90);

        assertThat(one.joinedWith(other)).isEqualTo(new EventTime(20, 90));
        assertThat(one.joinedWith(EventTime.NONE)).isEqualTo(EventTime.NONE);
        assertThat(EventTime.NONE.joinedWith(one)).isEqualTo(EventTime.NONE);
    }

    @Test
    void refusesWhatItDidNotWrite() {
        for (String option : List.of("", "5", "5:", ":5", "a:b", "1:2:3")) {
            StateMetaInfoSnapshot state =
                    new StateMetaInfoSnapshot(
                            "state",
                            StateMetaInfoSnapshot.BackendStateType.KEY_VALUE,
                            Map.of(EventTime.OPTION, option),
                            Map.of());
            assertThatThrownBy(() -> EventTime.of(List.of(state)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("State 'state'")
                    .hasMessageContaining("'" + option + "'");
        }
    }

    @Test
    void theClockNeverGoesBack() {
        EventTimeClock clock = new EventTimeClock(EventTime.NONE);

        assertThat(clock.advance(Long.MIN_VALUE)).isFalse();
        assertThat(clock.now()).isEqualTo(EventTime.NONE);
        assertThat(clock.advance(100)).isTrue();
        assertThat(clock.advance(99)).isFalse();
        assertThat(clock.advance(101)).isFalse();
        assertThat(clock.currentTimestamp()).isEqualTo(101);
        assertThat(clock.now()).isEqualTo(new EventTime(100, 101));
    }

    @Test
    void theClockGoesOnFromACheckpoint() {
        EventTimeClock clock = new EventTimeClock(new EventTime(100, 200));

        assertThat(clock.advance(150)).isFalse();
        assertThat(clock.advance(250)).isFalse();
        assertThat(clock.now()).isEqualTo(new EventTime(100, 250));
    }

    @Test
    void whatWasWrittenBeforeTheStartCountsAsWrittenThen() {
        EventTimeClock clock = new EventTimeClock(EventTime.NONE);
        TtlValue<String> early = new TtlValue<>("early", clock.currentTimestamp());
        assertThat(clock.timed(early)).isSameAs(early);

        clock.advance(100);
        clock.advance(200);
        TtlValue<String> late = new TtlValue<>("late", clock.currentTimestamp());

        assertThat(clock.timed(early).getUserValue()).isEqualTo("early");
        assertThat(clock.timed(early).getLastAccessTimestamp()).isEqualTo(100);
        assertThat(clock.timed(late)).isSameAs(late);
    }

    private static StateMetaInfoSnapshot state(String name) {
        return new RegisteredKeyValueStateBackendMetaInfo<>(
                        StateDescriptor.Type.VALUE,
                        name,
                        IntSerializer.INSTANCE,
                        StringSerializer.INSTANCE)
                .snapshot();
    }
}
