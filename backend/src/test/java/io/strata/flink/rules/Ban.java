/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.function.Predicate;

/**
 * One forbidden call or field, with what to use instead and the few classes that may.
 *
 * @param what the forbidden thing, as a person would say it
 * @param instead its replacement
 * @param matches whether a call, constructor call or field access is it
 * @param allowedIn classes that may use it all the same
 */
record Ban(
        String what,
        String instead,
        Predicate<AccessTarget> matches,
        Predicate<JavaClass> allowedIn) {

    static Ban of(String what, String instead, Predicate<AccessTarget> matches) {
        return new Ban(what, instead, matches, any -> false);
    }

    Ban butNotIn(Predicate<JavaClass> classes) {
        return new Ban(what, instead, matches, allowedIn.or(classes));
    }

    /** A method of exactly this class, or one of its constructors when the name is {@code new}. */
    static Predicate<AccessTarget> member(Class<?> owner, String... names) {
        return target -> {
            boolean owned = target.getOwner().isEquivalentTo(owner);
            return owned && named(target, names);
        };
    }

    /** A method of this class or of any class below it. */
    static Predicate<AccessTarget> memberOfKind(Class<?> owner, String... names) {
        return target -> target.getOwner().isAssignableTo(owner) && named(target, names);
    }

    static Predicate<AccessTarget> hasNoParameter(Class<?> type) {
        return target ->
                target instanceof AccessTarget.CodeUnitAccessTarget call
                        && call.getRawParameterTypes().stream()
                                .noneMatch(parameter -> parameter.isEquivalentTo(type));
    }

    private static boolean named(AccessTarget target, String... names) {
        for (String name : names) {
            if (target.getName().equals(name.equals("new") ? "<init>" : name)) {
                return true;
            }
        }
        return names.length == 0;
    }

    /** Fails for each use outside the allowed classes, naming the replacement. */
    ArchCondition<JavaClass> isNotUsed() {
        return new ArchCondition<>("not use " + what + " (instead: " + instead + ")") {
            @Override
            public void check(JavaClass item, ConditionEvents events) {
                if (allowedIn.test(item)) {
                    return;
                }
                for (JavaAccess<?> access : item.getAccessesFromSelf()) {
                    if (matches.test(access.getTarget())) {
                        String told = access.getDescription() + ": use " + instead;
                        events.add(SimpleConditionEvent.violated(access, told));
                    }
                }
            }
        };
    }
}
