/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** Invariant I1: imports point down the table of rooms, and the engine knows no Flink. */
class PackageOrderTest {

    private static ArchRule order(String basePackage) {
        return classes().should(Rooms.under(basePackage).useOnlyWhatTheirRoomMay());
    }

    @Test
    void importsPointDown() {
        JavaClasses main = HouseClasses.main();
        assertThat(main).as("classes found").hasSizeGreaterThan(10);
        order(HouseClasses.ROOT).check(main);
    }

    /** The engine uses it; the rest of its package works on Flink's serializers. */
    @Test
    void orderKeysKnowNoFlink() {
        noClasses()
                .that()
                .haveSimpleName("OrderKeys")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.flink..")
                .check(HouseClasses.main());
    }

    @Test
    void findsPlantedUpwardImportAndPlantedFlinkClass() {
        assertThatThrownBy(() -> order(HouseClasses.PLANTED).check(HouseClasses.planted()))
                .hasMessageContaining("planted.segment.ImportsUpwards")
                .hasMessageContaining("planted.hot.KnowsFlink.serializers")
                .hasMessageContaining("violated (2 times)");
    }
}
