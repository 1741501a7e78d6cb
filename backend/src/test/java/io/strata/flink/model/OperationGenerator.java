/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import io.strata.flink.model.BackendUnderTest.Ability;
import io.strata.flink.model.Operation.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Draws the operations of a scenario, each family more or less often, depending on the seed. */
final class OperationGenerator {

    /** A family of operations and its share of all operations, in ten thousandths. */
    private record Family(Supplier<Operation> draw, int share) {}

    private static final int[] EMPHASIS = {1, 3, 9};
    private static final int EMPHASIS_USUAL = 3;
    private static final int STATE_OPERATIONS = 8500;

    private final Scenario scenario;
    private final BackendUnderTest subject;
    private final Random random;
    private final StateOperationGenerator stateOperations;
    private final List<Family> families = new ArrayList<>();
    private int shares;

    OperationGenerator(Scenario scenario, BackendUnderTest subject) {
        this.scenario = scenario;
        this.subject = subject;
        this.random = Scenario.random(scenario.seed(), Scenario.Aspect.OPERATIONS);
        this.stateOperations = new StateOperationGenerator(scenario, subject, random);
        families.add(new Family(stateOperations::draw, STATE_OPERATIONS));
        shares = STATE_OPERATIONS;
        addFamily(this::drawTimer, subject.has(Ability.TIMERS_OUT_OF_ORDER) ? 800 : 0);
        addFamily(this::drawKeys, 40);
        addFamily(this::drawChangeOfAll, 20);
        addFamily(ScanOperations.Scan::new, 4);
        addFamily(this::drawStart, 40);
        addFamily(this::drawFinish, 50);
        addFamily(this::drawAbort, 8);
        addFamily(this::drawRestore, 8);
        addFamily(this::drawSavepoint, subject.has(Ability.CANONICAL_SAVEPOINTS) ? 4 : 0);
    }

    private void addFamily(Supplier<Operation> draw, int share) {
        int drawn = share * EMPHASIS[random.nextInt(EMPHASIS.length)] / EMPHASIS_USUAL;
        families.add(new Family(draw, drawn));
        shares += drawn;
    }

    List<Operation> draw(int count) {
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            operations.add(draw());
        }
        return operations;
    }

    private Operation draw() {
        int share = random.nextInt(shares);
        for (Family family : families) {
            share -= family.share();
            if (share < 0) {
                return family.draw().get();
            }
        }
        throw new AssertionError("shares do not add up");
    }

    private Operation drawTimer() {
        int key = random.nextInt(scenario.keys());
        int time = random.nextInt(60);
        return switch (random.nextInt(12)) {
            case 0 -> new TimerOperations.TimerAddAll(key, time, 1 + random.nextInt(10));
            case 1, 2 -> new TimerOperations.TimerRemove(key, time);
            case 3 -> new TimerOperations.TimerPoll(key, time);
            case 4 -> new TimerOperations.TimerIterate(key);
            case 5 -> new TimerOperations.TimersOfKeyGroup(key);
            default -> new TimerOperations.TimerAdd(key, time);
        };
    }

    private Operation drawKeys() {
        int state = random.nextInt(scenario.states().size());
        int namespace = random.nextInt(scenario.namespaces());
        return switch (random.nextInt(4)) {
            case 0 -> new ScanOperations.KeysAndNamespaces(state);
            case 1 ->
                    subject.has(Ability.KEYS_OF_MANY_STATES)
                            ? new ScanOperations.KeysOfStates(sameNamespaces(state), namespace)
                            : new ScanOperations.Keys(state, namespace);
            case 2 -> new ScanOperations.CountEntries(!subject.has(Ability.COUNTS_MAP_AS_ONE));
            default -> new ScanOperations.Keys(state, namespace);
        };
    }

    private List<Integer> sameNamespaces(int state) {
        NamespaceType wanted = scenario.states().get(state).namespaces();
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < scenario.states().size(); i++) {
            if (scenario.states().get(i).namespaces() == wanted) {
                found.add(i);
            }
        }
        return found;
    }

    private Operation drawChangeOfAll() {
        Place at = stateOperations.place();
        long recipe = random.nextInt(1000);
        return subject.has(Ability.VISITORS) && random.nextBoolean()
                ? new VisitOperation(at.state(), 1 + random.nextInt(20), recipe)
                : new ScanOperations.ApplyToAllKeys(at.state(), at.namespace(), recipe);
    }

    private Operation drawStart() {
        Checkpoints.Course[] courses = Checkpoints.Course.values();
        long failAfterBytes = random.nextInt(12) == 0 ? random.nextInt(3000) : Long.MAX_VALUE;
        return new CheckpointOperations.Start(
                courses[random.nextInt(courses.length)], random.nextInt(8) == 0, failAfterBytes);
    }

    private Operation drawFinish() {
        return new CheckpointOperations.Finish(random.nextInt(3), random.nextInt(5) > 0);
    }

    private Operation drawAbort() {
        return new CheckpointOperations.Abort(random.nextInt(3), random.nextBoolean());
    }

    private Operation drawRestore() {
        int parallelism = random.nextBoolean() ? scenario.parallelism() : 1 + random.nextInt(3);
        return new CheckpointOperations.Restore(
                random.nextInt(3), parallelism, random.nextBoolean());
    }

    private Operation drawSavepoint() {
        return new SavepointOperation(1 + random.nextInt(3));
    }
}
