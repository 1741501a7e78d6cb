/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the random tests would not tell by name: misuse, and what must stay small. */
class HotTableTest {

    private static final String NAMESPACE = "namespace";

    private final EpochClock clock = new EpochClock();
    private final HotBytes bytes = new HotBytes();
    private final HotTable<Integer, String> table = new HotTable<>(clock, bytes);

    @Test
    void staleHandlesAreRefused() {
        HotEntry<Integer, String> frozen = table.write(1, NAMESPACE, "old", 8, true);
        clock.seal();
        table.seal();
        assertThat(table.update(frozen, "new", 8)).isNotSameAs(frozen);
        assertThat(frozen.value()).isEqualTo("old");
        assertThatThrownBy(() -> table.update(frozen, "newer", 8)).hasMessageContaining("Stale");
        assertThatThrownBy(() -> table.delete(frozen)).hasMessageContaining("Stale");
    }

    @Test
    void aTableThatMissedTheSealSaysSo() {
        table.write(1, NAMESPACE, "value", 8, true);
        clock.seal();
        assertThatThrownBy(() -> table.write(2, NAMESPACE, "value", 8, true))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("not sealed");
        HotTable<Integer, String> other = new HotTable<>(clock, bytes);
        assertThatThrownBy(other::seal).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void onlySealedEpochsAreInstalledAndInOrder() {
        assertThatThrownBy(() -> clock.installed(1)).hasMessageContaining("Epoch 1");
        clock.seal();
        clock.seal();
        clock.installed(2);
        assertThat(clock.inFlight()).isFalse();
        assertThatThrownBy(() -> clock.installed(1)).hasMessageContaining("flushed 2");
    }

    @Test
    void keysThatComeAndGoWithinAnEpochLeaveNothing() {
        table.write(-1, NAMESPACE, "stays", 8, true);
        long before = table.bytes();
        for (int key = 0; key < 100_000; key++) {
            table.write(key, NAMESPACE, "value", 80, true);
            table.delete(key, NAMESPACE, true);
        }
        assertThat(table.bytes()).isLessThan(before + 200_000);
        clock.seal();
        DirtyEntries<HotEntry<Integer, String>> sealed = table.seal();
        assertThat(sealed).extracting(HotEntry::key).containsExactly(-1);
    }

    @Test
    void tombstonesOfShortLivedKeysGoWithoutEviction() {
        for (int epoch = 0; epoch < 200; epoch++) {
            for (int key = 0; key < 100; key++) {
                table.write(100 * epoch + key, NAMESPACE, "value", 8, true);
                table.delete(100 * (epoch - 1) + key, NAMESPACE, false);
            }
            int sealed = clock.seal();
            table.seal();
            clock.installed(sealed);
        }
        assertThat(table.liveEntries()).isEqualTo(100);
        assertThat(table.entries()).isLessThan(1000);
        assertThat(table.complete()).isTrue();
        table.checkStructure();
    }

    @Test
    void whatIsFoundOutlivesWhatIsNot() {
        for (int key = 0; key < 1000; key++) {
            table.insertClean(key, NAMESPACE, "value", 8);
        }
        for (int key = 0; key < 1000; key += 10) {
            table.find(key, NAMESPACE);
        }
        table.evict(900 * 48);
        for (int key = 0; key < 1000; key += 10) {
            assertThat(table.find(key, NAMESPACE)).isNotNull();
        }
        assertThat(table.entries()).isEqualTo(100);
        assertThat(table.complete()).isFalse();
    }

    @Test
    void aListThatIsAlwaysAppendedToGivesBackWhatIsFlushed() {
        HotListTable<Integer, String, Long> lists = new HotListTable<>(clock, bytes);
        for (int epoch = 0; epoch < 10; epoch++) {
            for (long element = 0; element < 1000; element++) {
                lists.append(1, NAMESPACE, element, 24, true);
            }
            int sealed = clock.seal();
            table.seal();
            lists.seal();
            lists.append(1, NAMESPACE, 0L, 24, true);
            clock.installed(sealed);
            assertThat(lists.evict(1000 * 24)).isGreaterThanOrEqualTo(1000 * 24);
            lists.checkStructure();
        }
        HotList<Long> list = lists.list(lists.find(1, NAMESPACE));
        assertThat(list.size()).isEqualTo(1);
        assertThat(list.baseBelow()).isTrue();
        assertThat(lists.complete()).isFalse();
    }

    @Test
    void aViewOfAListDoesNotChange() {
        HotListTable<Integer, String, Long> lists = new HotListTable<>(clock, bytes);
        lists.append(1, NAMESPACE, 7L, 24, true);
        List<Long> view = lists.list(lists.find(1, NAMESPACE)).view();
        lists.append(1, NAMESPACE, 8L, 24, true);
        assertThat(view).containsExactly(7L);
        assertThatThrownBy(() -> view.add(9L)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> lists.append(1, NAMESPACE, null, 24, true))
                .isInstanceOf(NullPointerException.class);
    }
}
