/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static io.strata.flink.rules.Ban.hasNoParameter;
import static io.strata.flink.rules.Ban.member;
import static io.strata.flink.rules.Ban.memberOfKind;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Calls that main code must not make, each with its replacement. */
class ForbiddenCallsTest {

    static final List<Ban> BANS =
            List.of(
                    Ban.of(
                            "randomness without a seed",
                            "new SplittableRandom(seed), with the seed in the log",
                            member(Random.class, "new")
                                    .and(hasNoParameter(long.class))
                                    .or(
                                            member(SplittableRandom.class, "new")
                                                    .and(hasNoParameter(long.class)))
                                    .or(member(Math.class, "random"))
                                    .or(member(ThreadLocalRandom.class, "current"))),
                    Ban.of(
                                    "the machine's clock",
                                    "a class named ...Clock, so that tests can set the time",
                                    member(System.class, "currentTimeMillis", "nanoTime")
                                            .or(member(Instant.class, "now")))
                            .butNotIn(ForbiddenCallsTest::isClock),
                    Ban.of(
                            "File.delete, which fails in silence",
                            "StorageDirectory.delete",
                            member(File.class, "delete", "deleteOnExit")),
                    Ban.of(
                            "a thread without a name",
                            "new Thread(work, name)",
                            memberOfKind(Thread.class, "new").and(hasNoParameter(String.class))),
                    Ban.of(
                            "a pool whose threads have no names",
                            "a ThreadFactory that names its threads",
                            member(
                                            Executors.class,
                                            "newFixedThreadPool",
                                            "newCachedThreadPool",
                                            "newSingleThreadExecutor",
                                            "newScheduledThreadPool",
                                            "newSingleThreadScheduledExecutor",
                                            "newWorkStealingPool")
                                    .and(hasNoParameter(ThreadFactory.class))
                                    .or(member(ForkJoinPool.class, "commonPool"))),
                    Ban.of(
                            "the process's output",
                            "an slf4j Logger",
                            member(System.class, "out", "err")
                                    .or(memberOfKind(Throwable.class, "printStackTrace"))),
                    Ban.of(
                            "the end of the whole process",
                            "an exception",
                            member(System.class, "exit").or(member(Runtime.class, "exit", "halt"))),
                    Ban.of(
                            "memory-mapped files",
                            "StorageInput.readFully: mapped memory is neither bounded nor counted",
                            memberOfKind(FileChannel.class, "map")),
                    Ban.of(
                                    "direct memory of the JVM",
                                    "a SlabAllocator over Flink's managed memory",
                                    member(ByteBuffer.class, "allocateDirect"))
                            .butNotIn(is("SlabAllocator")));

    @ParameterizedTest
    @FieldSource("BANS")
    void mainCodeDoesNotUse(Ban ban) {
        classes().should(ban.isNotUsed()).check(HouseClasses.main());
    }

    @ParameterizedTest
    @FieldSource("BANS")
    void findsItPlanted(Ban ban) {
        assertThatThrownBy(() -> classes().should(ban.isNotUsed()).check(HouseClasses.planted()))
                .hasMessageContaining("planted.hot.ForbiddenCalls")
                .hasMessageContaining(ban.instead());
    }

    /** A ban that matched everything would pass the test above. */
    @Test
    void bansLeaveAllowedCallsAlone() {
        for (Ban ban : BANS) {
            classes()
                    .that()
                    .haveSimpleName("Innocent")
                    .should(ban.isNotUsed())
                    .check(HouseClasses.planted());
        }
    }

    private static boolean isClock(JavaClass candidate) {
        return candidate.getSimpleName().endsWith("Clock");
    }

    private static java.util.function.Predicate<JavaClass> is(String simpleName) {
        return candidate ->
                candidate.getSimpleName().equals(simpleName)
                        || candidate.getEnclosingClass().stream()
                                .anyMatch(outer -> outer.getSimpleName().equals(simpleName));
    }
}
