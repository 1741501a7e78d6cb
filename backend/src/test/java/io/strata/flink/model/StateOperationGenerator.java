/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import io.strata.flink.model.BackendUnderTest.Ability;
import io.strata.flink.model.Operation.Place;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Draws operations on one key of one state. */
final class StateOperationGenerator {
    private final Scenario scenario;
    private final BackendUnderTest subject;
    private final Random random;
    private int lastKey;

    StateOperationGenerator(Scenario scenario, BackendUnderTest subject, Random random) {
        this.scenario = scenario;
        this.subject = subject;
        this.random = random;
    }

    /** Some keys are used much more than others, and often the same one again. */
    Place place() {
        if (random.nextInt(10) < 7) {
            double draw = random.nextDouble();
            lastKey = (int) (scenario.keys() * draw * draw);
        }
        return new Place(
                random.nextInt(scenario.states().size()),
                lastKey,
                random.nextInt(scenario.namespaces()));
    }

    Operation draw() {
        Place at = place();
        StateSpec spec = scenario.states().get(at.state());
        return switch (random.nextInt(20)) {
            case 0, 1, 2 -> new StateOperations.Read(at);
            case 3 -> new StateOperations.Clear(at);
            case 4, 5 -> new StateOperations.Change(at, recipe());
            case 6 -> new StateOperations.Replace(at, recipe());
            case 7 -> new StateOperations.ReadSerialized(at);
            default ->
                    switch (spec.kind()) {
                        case VALUE -> drawValue(at);
                        case LIST -> drawList(at);
                        case MAP -> drawMap(at);
                        case REDUCING, AGGREGATING -> drawMerging(at);
                    };
        };
    }

    private long recipe() {
        return random.nextInt(5000);
    }

    private Operation drawValue(Place at) {
        return switch (random.nextInt(10)) {
            case 0 -> new ValueOperations.ValueUpdateNull(at);
            case 1, 2, 3 -> new StateOperations.Change(at, recipe());
            default -> new ValueOperations.ValueUpdate(at, recipe());
        };
    }

    private Operation drawList(Place at) {
        return switch (random.nextInt(16)) {
            case 0 -> new ListOperations.ListUpdate(at, recipe(), random.nextInt(4));
            case 1 -> new ListOperations.ListChangeElement(at, recipe());
            case 2 -> new ListOperations.ListReadFirst(at, 1 + random.nextInt(3));
            case 3 ->
                    new ListOperations.ListAddNull(
                            at, !subject.has(Ability.REFUSES_WHOLE_LISTS) || random.nextBoolean());
            case 4, 5 -> drawMerge(at);
            case 6 -> new MergingOperations.ReadInternal(at);
            case 7 -> new ListOperations.ListAddAll(at, recipe(), manyOr(4));
            case 8, 9 -> new ListOperations.ListAddAll(at, recipe(), random.nextInt(4));
            default -> new StateOperations.Change(at, recipe());
        };
    }

    private Operation drawMap(Place at) {
        long userKey = random.nextInt(60);
        return switch (random.nextInt(24)) {
            case 0, 1 -> new MapOperations.MapIterate(at, recipe(), random.nextBoolean());
            case 2 -> new MapOperations.MapRemoveSome(at, recipe());
            case 3 -> new MapOperations.MapViews(at);
            case 4 -> new MapOperations.MapPutAll(at, recipe(), manyOr(5));
            case 5 -> new MapOperations.MapPutNull(at, userKey);
            case 6, 7 -> new MapOperations.MapIsEmpty(at);
            case 8, 9, 10, 11 -> new MapOperations.MapRemove(at, userKey);
            case 12, 13, 14, 15 -> new MapOperations.MapGet(at, userKey);
            case 16, 17 -> new MapOperations.MapChange(at, userKey, recipe());
            default -> new MapOperations.MapPut(at, userKey, recipe());
        };
    }

    private Operation drawMerging(Place at) {
        return switch (random.nextInt(10)) {
            case 0, 1, 2 -> drawMerge(at);
            case 3 -> new MergingOperations.ReadInternal(at);
            case 4 ->
                    subject.has(Ability.NULL_ADDED_CLEARS)
                            ? new MergingOperations.AddNull(at)
                            : new StateOperations.Clear(at);
            default -> new StateOperations.Change(at, recipe());
        };
    }

    private Operation drawMerge(Place at) {
        if (!scenario.states().get(at.state()).mergesNamespaces() || scenario.namespaces() == 1) {
            return new StateOperations.Read(at);
        }
        List<Integer> sources = new ArrayList<>();
        for (int i = 0; i < scenario.namespaces(); i++) {
            if (i != at.namespace() && random.nextInt(3) > 0) {
                sources.add(i);
            }
        }
        Collections.shuffle(sources, random);
        return new MergingOperations.Merge(at, List.copyOf(sources));
    }

    /** At least one; seldom so many that they take several pages. */
    private int manyOr(int usual) {
        return random.nextInt(25) == 0 ? 300 : 1 + random.nextInt(usual);
    }
}
