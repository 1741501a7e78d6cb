/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The compiled classes that the rules look at, read once. */
final class HouseClasses {

    static final String ROOT = "io.strata.flink";
    static final String PLANTED = "io.strata.flink.rules.planted";

    private static JavaClasses main;

    private HouseClasses() {}

    /** Main classes of {@code serializers} and {@code backend}. */
    static synchronized JavaClasses main() {
        if (main == null) {
            main =
                    new ClassFileImporter()
                            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                            .importPackages(ROOT);
        }
        return main;
    }

    /** Classes that break the rules on purpose. */
    static JavaClasses planted() {
        return new ClassFileImporter().importPackages(PLANTED);
    }
}
