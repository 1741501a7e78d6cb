/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.IllegalConfigurationException;
import org.junit.jupiter.api.Test;

/** Reads options, good and bad. */
class StrataSettingsTest {

    @Test
    void readsDefaultsFromAnEmptyConfiguration() {
        StrataSettings settings = StrataSettings.from(new Configuration());

        assertThat(settings.hotBytes()).isNull();
        assertThat(settings.hotBudgetBytes(1000)).isEqualTo(400);
        assertThat(settings.localDirectories()).isEmpty();
        assertThat(settings.pageBytes()).isEqualTo(4096);
        assertThat(settings.filterBitsPerRecord()).isEqualTo(10);
        assertThat(settings.timers()).isEqualTo(TimerStorage.HEAP);
        assertThat(settings.debug())
                .isEqualTo(new StrataSettings.Debug(0, false, false, 32 << 20, 1));
    }

    @Test
    void readsEveryOption() {
        StrataSettings settings =
                read(
                        Map.ofEntries(
                                Map.entry("state.backend.strata.hot.size", "3mb"),
                                Map.entry("state.backend.strata.local-directories", "/a, /b"),
                                Map.entry("state.backend.strata.page-size", "8kb"),
                                Map.entry("state.backend.strata.filter.bits-per-record", "12"),
                                Map.entry("state.backend.strata.background-threads", "3"),
                                Map.entry("state.backend.strata.compaction.bandwidth", "2mb"),
                                Map.entry("state.backend.strata.transfer-threads", "5"),
                                Map.entry("state.backend.strata.timers", "heap"),
                                Map.entry("state.backend.strata.drop-states", "a, b c"),
                                Map.entry("state.backend.strata.debug.flush-every-operations", "7"),
                                Map.entry("state.backend.strata.debug.evict-all", "true"),
                                Map.entry("state.backend.strata.debug.compact-every-flush", "true"),
                                Map.entry("state.backend.strata.debug.savepoint-sort-bytes", "900"),
                                Map.entry("state.backend.strata.debug.estimate-divisor", "4")));

        assertThat(settings.hotBudgetBytes(1 << 30)).isEqualTo(3 << 20);
        assertThat(settings.localDirectories()).containsExactly("/a", "/b");
        assertThat(settings.pageBytes()).isEqualTo(8192);
        assertThat(settings.filterBitsPerRecord()).isEqualTo(12);
        assertThat(settings.backgroundThreads()).isEqualTo(3);
        assertThat(settings.compactionBytesPerSecond()).isEqualTo(2 << 20);
        assertThat(settings.transferThreads()).isEqualTo(5);
        assertThat(settings.dropStates()).containsExactly("a", "b c");
        assertThat(settings.debug()).isEqualTo(new StrataSettings.Debug(7, true, true, 900, 4));
    }

    @Test
    void compactionIsNotHeldUpUnlessItIsToldTo() {
        assertThat(read(Map.of()).compactionBytesPerSecond()).isZero();
        assertThatThrownBy(() -> read(Map.of("state.backend.strata.compaction.bandwidth", "9kb")))
                .isInstanceOf(StrataConfigurationException.class)
                .hasMessageContaining("'state.backend.strata.compaction.bandwidth' is 9 kb")
                .hasMessageContaining("at least 1 mb");
    }

    @Test
    void leavesOtherKeysAlone() {
        assertThat(read(Map.of("state.backend.rocksdb.localdir", "x")).pageBytes()).isEqualTo(4096);
    }

    @Test
    void namesTheNearestKnownKey() {
        assertThatThrownBy(() -> read(Map.of("state.backend.strata.hot.sise", "1gb")))
                .isInstanceOf(StrataConfigurationException.class)
                .isInstanceOf(IllegalConfigurationException.class)
                .hasMessageContaining("'state.backend.strata.hot.sise' is not an option")
                .hasMessageContaining("'state.backend.strata.hot.size'");
    }

    @Test
    void namesAllProblemsInOneMessage() {
        Map<String, String> bad =
                Map.of(
                        "state.backend.strata.hot.size", "1kb",
                        "state.backend.strata.hot.fraction", "1.5",
                        "state.backend.strata.local-directories", "relative/path",
                        "state.backend.strata.page-size", "5000b",
                        "state.backend.strata.filter.bits-per-record", "0",
                        "state.backend.strata.background-threads", "many",
                        "state.backend.strata.transfer-threads", "65",
                        "state.backend.strata.timers", "tiered",
                        "state.backend.strata.debug.flush-every-operations", "-1",
                        "state.backend.strata.pagesize", "4kb");

        assertThatThrownBy(() -> read(bad))
                .isInstanceOfSatisfying(
                        StrataConfigurationException.class,
                        e -> {
                            // Size and fraction contradict each other on top of their own values.
                            assertThat(e.problems()).hasSize(bad.size() + 1);
                            bad.keySet().forEach(key -> assertThat(e).hasMessageContaining(key));
                        });
    }

    @Test
    void refusesSizeTogetherWithFraction() {
        assertThatThrownBy(
                        () ->
                                read(
                                        Map.of(
                                                "state.backend.strata.hot.size", "1gb",
                                                "state.backend.strata.hot.fraction", "0.5")))
                .isInstanceOfSatisfying(
                        StrataConfigurationException.class,
                        e -> assertThat(e.problems()).singleElement().asString().contains("both"));
    }

    @Test
    void refusesAHotSizeThatTheHeapOfTheProcessCannotHold() {
        StrataSettings settings = read(Map.of("state.backend.strata.hot.size", "1gb"));

        assertThatThrownBy(() -> settings.hotBudgetBytes(1 << 30))
                .isInstanceOf(StrataConfigurationException.class)
                .hasMessageContaining("'state.backend.strata.hot.size' is 1")
                .hasMessageContaining("0.9");
    }

    @Test
    void refusesTieredTimersByName() {
        assertThatThrownBy(() -> read(Map.of("state.backend.strata.timers", "tiered")))
                .isInstanceOf(StrataConfigurationException.class)
                .hasMessageContaining("'state.backend.strata.timers' is tiered")
                .hasMessageContaining("Use heap");
    }

    @Test
    void namesTheValueThatDoesNotParse() {
        assertThatThrownBy(() -> read(Map.of("state.backend.strata.page-size", "large")))
                .isInstanceOf(StrataConfigurationException.class)
                .hasMessageContaining("'state.backend.strata.page-size' is 'large'");
    }

    private static StrataSettings read(Map<String, String> options) {
        return StrataSettings.from(Configuration.fromMap(options));
    }
}
