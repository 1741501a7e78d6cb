/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The packages of the house, bottom first, with what each may import (invariant I1).
 *
 * <p>The order of declaration is the order in which a record travels upwards; a room never names a
 * room declared after it, so the table cannot contain a circle.
 */
final class Rooms {

    private static final String FLINK = "org.apache.flink.";

    /** One package: which other rooms and which libraries it may use. */
    record Room(String name, List<String> rooms, List<String> libraries) {

        boolean allowsRoom(String other) {
            return name.equals(other) || rooms.contains(other);
        }

        boolean allowsLibrary(String className) {
            return className.startsWith("java.")
                    || className.startsWith("javax.")
                    || libraries.stream().anyMatch(className::startsWith);
        }
    }

    private final String basePackage;
    private final Map<String, Room> rooms = new LinkedHashMap<>();

    private Rooms(String basePackage) {
        this.basePackage = basePackage;
    }

    /** The house, as if its root package were the given one (planted violations have their own). */
    static Rooms under(String basePackage) {
        String logging = "org.slf4j.";
        String lz4 = "net.jpountz."; // and xxHash64
        String management = "com.sun.management."; // of the JDK
        Rooms house = new Rooms(basePackage);
        house.room("format.bytes", List.of());
        house.room("format.key", List.of("format.bytes"), FLINK, lz4);
        house.room("format.state", List.of("format.bytes"), FLINK);
        house.room("format.segment", List.of("format.bytes"));
        house.room("io", List.of(), logging);
        List<String> segments = List.of("format.bytes", "format.key", "format.segment", "io");
        house.room("segment", segments, logging, lz4);
        List<String> aboveSegments = plus(segments, "segment");
        house.room("pagecache", aboveSegments, logging);
        house.room("compaction", aboveSegments, logging);
        house.room("hot", List.of(), management);
        List<String> storage = plus(aboveSegments, "pagecache", "compaction", "hot");
        house.room("engine", storage, logging);
        house.room("schema", List.of("format.key"), FLINK);
        List<String> aboveEngine = plus(storage, "format.state", "engine", "schema");
        house.room("ttl", List.of(), FLINK);
        house.room("state", plus(aboveEngine, "ttl"), FLINK, logging);
        house.room("timers", aboveEngine, FLINK, logging);
        house.room("savepoint", plus(aboveEngine, "timers", "ttl"), FLINK, logging);
        List<String> belowFiles = plus(aboveEngine, "timers", "ttl", "savepoint");
        house.room("checkpoint.files", belowFiles, FLINK, logging);
        List<String> belowTransfer = plus(belowFiles, "checkpoint.files");
        house.room("checkpoint.transfer", belowTransfer, FLINK, logging);
        List<String> belowBoth = plus(belowTransfer, "checkpoint.transfer");
        house.room("checkpoint.snapshot", belowBoth, FLINK, logging);
        house.room("checkpoint.restore", belowBoth, FLINK, logging);
        house.room("checkpoint", List.of());
        List<String> all = plus(belowBoth, "state", "checkpoint.snapshot", "checkpoint.restore");
        house.room("", all, FLINK, logging, management);
        return house;
    }

    private void room(String name, List<String> below, String... libraries) {
        for (String other : below) {
            if (!rooms.containsKey(other)) {
                throw new IllegalStateException(name + " may not name a room above it: " + other);
            }
        }
        rooms.put(name, new Room(name, below, List.of(libraries)));
    }

    /** The room that a class of this package belongs to; empty for foreign packages. */
    Optional<Room> roomOf(String packageName) {
        if (packageName.equals(basePackage)) {
            return Optional.of(rooms.get(""));
        }
        return packageName.startsWith(basePackage + ".")
                ? Optional.ofNullable(rooms.get(packageName.substring(basePackage.length() + 1)))
                : Optional.empty();
    }

    /** Every class lives in a room and uses only what the room may use. */
    ArchCondition<JavaClass> useOnlyWhatTheirRoomMay() {
        return new ArchCondition<>("use only what the table of rooms allows (I1)") {
            @Override
            public void check(JavaClass item, ConditionEvents events) {
                Optional<Room> room = roomOf(item.getPackageName());
                if (room.isEmpty()) {
                    events.add(
                            SimpleConditionEvent.violated(
                                    item, item.getName() + " is in no room of the table"));
                    return;
                }
                for (Dependency dependency : item.getDirectDependenciesFromSelf()) {
                    if (!allowed(room.get(), dependency.getTargetClass())) {
                        String told = dependency.getDescription();
                        events.add(SimpleConditionEvent.violated(dependency, told));
                    }
                }
            }
        };
    }

    private boolean allowed(Room room, JavaClass used) {
        JavaClass target = used.getBaseComponentType();
        if (target.isPrimitive()) {
            return true;
        }
        return roomOf(target.getPackageName())
                .map(other -> room.allowsRoom(other.name()) && isFlinkFreeFor(room, target))
                .orElseGet(() -> room.allowsLibrary(target.getName()));
    }

    /** Of {@code format.key}, only the order key can be used without Flink. */
    private static boolean isFlinkFreeFor(Room room, JavaClass target) {
        return room.libraries().contains(FLINK)
                || !target.getPackageName().endsWith(".format.key")
                || target.getSimpleName().equals("OrderKeys");
    }

    private static List<String> plus(List<String> below, String... more) {
        List<String> all = new ArrayList<>(below);
        Collections.addAll(all, more);
        return List.copyOf(all);
    }
}
