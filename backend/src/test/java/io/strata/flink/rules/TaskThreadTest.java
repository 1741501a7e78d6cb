/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/**
 * Invariant I2, as far as classes show it: background work knows nothing that only the task thread
 * may change, and what only the task thread touches needs no locks.
 */
class TaskThreadTest {

    /** Changed by the task thread only. */
    private static final Set<String> TASK_THREAD_ONLY =
            Set.of("TieredStore", "TieredTable", "EpochClock", "ChainTable", "PageCache");

    /** Run by the flush, compaction and snapshot threads, next to those that can be recognized. */
    private static final Set<String> BACKGROUND =
            Set.of("FlushBatch", "StoreSnapshot", "StoreVersion", "Compactor", "RunMerge");

    /** The heap budget is shared by the backends of a process. */
    private static final Set<String> SHARED_IN_HOT = Set.of("HeapBudget", "HeapLease");

    private static final ArchRule BACKGROUND_KNOWS_NO_TABLES =
            classes()
                    .that(are("run in the background", TaskThreadTest::isBackground))
                    .should(leaveTheTaskThreadsClassesAlone());

    private static final ArchRule HOT_IS_SINGLE_THREADED =
            classes()
                    .that(are("hot tables", TaskThreadTest::isSingleThreadedHot))
                    .should(holdNoLockAndNoVolatile());

    @Test
    void backgroundWorkKnowsNoTables() {
        JavaClasses main = HouseClasses.main();
        assertThat(main.stream().filter(TaskThreadTest::isBackground)).hasSizeGreaterThan(3);
        BACKGROUND_KNOWS_NO_TABLES.check(main);
    }

    @Test
    void hotTablesNeedNoLocks() {
        HOT_IS_SINGLE_THREADED.check(HouseClasses.main());
    }

    @Test
    void findsPlantedViolations() {
        JavaClasses planted = HouseClasses.planted();
        assertThatThrownBy(() -> BACKGROUND_KNOWS_NO_TABLES.check(planted))
                .hasMessageContaining("planted.engine.BackgroundWork.store")
                .hasMessageContaining("BackgroundWork.run()> calls method")
                .hasMessageContaining("violated (2 times)");
        assertThatThrownBy(() -> HOT_IS_SINGLE_THREADED.check(planted))
                .hasMessageContaining("planted.hot.Locks.value")
                .hasMessageContaining("planted.hot.Locks.increment")
                .hasMessageContaining("violated (2 times)");
    }

    private static boolean isBackground(JavaClass candidate) {
        return candidate.isAssignableTo(Runnable.class)
                || candidate.isAssignableTo(Callable.class)
                || isKindOf(candidate, BACKGROUND);
    }

    private static boolean isSingleThreadedHot(JavaClass candidate) {
        return candidate.getPackageName().endsWith(".hot")
                && !SHARED_IN_HOT.contains(candidate.getSimpleName());
    }

    /** Whether a class, or anything above it, has one of these names. */
    private static boolean isKindOf(JavaClass candidate, Set<String> simpleNames) {
        return simpleNames.contains(candidate.getSimpleName())
                || candidate.getAllRawSuperclasses().stream()
                        .anyMatch(kind -> simpleNames.contains(kind.getSimpleName()))
                || candidate.getAllRawInterfaces().stream()
                        .anyMatch(kind -> simpleNames.contains(kind.getSimpleName()));
    }

    private static DescribedPredicate<JavaClass> are(
            String what, java.util.function.Predicate<JavaClass> predicate) {
        return DescribedPredicate.describe(what, predicate);
    }

    private static ArchCondition<JavaClass> leaveTheTaskThreadsClassesAlone() {
        return new ArchCondition<>("neither hold nor call what only the task thread may (I2)") {
            @Override
            public void check(JavaClass item, ConditionEvents events) {
                for (JavaField field : item.getFields()) {
                    if (isKindOf(field.getRawType(), TASK_THREAD_ONLY)) {
                        events.add(SimpleConditionEvent.violated(field, field.getDescription()));
                    }
                }
                for (JavaMethodCall call : item.getMethodCallsFromSelf()) {
                    boolean onInstance =
                            call.getTarget()
                                    .resolveMember()
                                    .map(method -> !isStatic(method))
                                    .orElse(true);
                    if (onInstance && isKindOf(call.getTargetOwner(), TASK_THREAD_ONLY)) {
                        events.add(SimpleConditionEvent.violated(call, call.getDescription()));
                    }
                }
            }
        };
    }

    private static ArchCondition<JavaClass> holdNoLockAndNoVolatile() {
        return new ArchCondition<>("hold no lock and no volatile field: one thread uses them") {
            @Override
            public void check(JavaClass item, ConditionEvents events) {
                for (JavaField field : item.getFields()) {
                    boolean concurrent =
                            field.getRawType().getPackageName().startsWith("java.util.concurrent");
                    if (concurrent || field.getModifiers().contains(JavaModifier.VOLATILE)) {
                        events.add(SimpleConditionEvent.violated(field, field.getDescription()));
                    }
                }
                for (JavaMethod method : item.getMethods()) {
                    if (method.getModifiers().contains(JavaModifier.SYNCHRONIZED)) {
                        events.add(SimpleConditionEvent.violated(method, method.getDescription()));
                    }
                }
            }
        };
    }

    private static boolean isStatic(JavaMethod method) {
        return method.getModifiers().contains(JavaModifier.STATIC);
    }
}
