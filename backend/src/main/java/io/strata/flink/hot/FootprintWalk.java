/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.hot;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Measures the heap bytes of a value by walking over its objects. Objects that several entries
 * share count nothing. Of a large array or collection some elements are measured and stand for the
 * rest, so that a walk visits at most a few thousand objects. Task thread only.
 *
 * <p>A value that cannot be walked over (a user's iterator that throws) is measured as far as it
 * went: measuring never fails.
 */
final class FootprintWalk {

    /** Elements measured of one array, of one array within an array, and so on. */
    private static final int[] SAMPLED_ELEMENTS = {32, 12, 4};

    private static final int MAX_OBJECTS = 1 << 12;
    private static final int FIRST_CAPACITY = 64;
    private static final HeapLayout LAYOUT = HeapLayout.CURRENT;
    private static final long BIG_INTEGER_BYTES =
            ClassShape.of(BigInteger.class).shallowBytes + LAYOUT.arrayBytes(0, Integer.BYTES);

    /** Decimal digits that a {@link BigDecimal} keeps in a long. */
    private static final int COMPACT_DIGITS = 18;

    private final SharedObjects shared = new SharedObjects();

    // Of the walk under way: a stack of objects, of how many each stands for, and its depth.
    private Object[] objects = new Object[FIRST_CAPACITY];
    private double[] weights = new double[FIRST_CAPACITY];
    private byte[] depths = new byte[FIRST_CAPACITY];
    private int waiting;
    private IdentityHashMap<Object, Boolean> met;
    private double bytes;
    private int visited;
    private int owner;

    /**
     * Measures a value.
     *
     * @param entry tells the entry that holds the value from others
     * @return its heap bytes
     */
    long measure(Object value, int entry) {
        owner = entry;
        met = new IdentityHashMap<>();
        bytes = 0;
        visited = 0;
        try {
            visit(value, 1, 0, true);
            while (waiting > 0 && visited < MAX_OBJECTS) {
                waiting--;
                Object next = objects[waiting];
                objects[waiting] = null;
                visit(next, weights[waiting], depths[waiting], false);
            }
            bytes += unvisitedBytes();
        } catch (RuntimeException | LinkageError e) {
            // what was measured until then has to do
        } finally {
            Arrays.fill(objects, 0, waiting, null);
            waiting = 0;
            met = null;
        }
        return (long) bytes;
    }

    /** The number of objects that the last walk visited. */
    int visited() {
        return visited;
    }

    /** What is left over when a walk is given up takes as much an object as what was visited. */
    private double unvisitedBytes() {
        double left = 0;
        for (int i = 0; i < waiting; i++) {
            left += weights[i];
        }
        return visited == 0 ? 0 : left * Math.min(bytes / visited, Integer.MAX_VALUE);
    }

    private void push(Object object, double weight, int depth) {
        if (object == null) {
            return;
        }
        if (waiting == objects.length) {
            objects = Arrays.copyOf(objects, 2 * waiting);
            weights = Arrays.copyOf(weights, 2 * waiting);
            depths = Arrays.copyOf(depths, 2 * waiting);
        }
        objects[waiting] = object;
        weights[waiting] = weight;
        depths[waiting++] = (byte) depth;
    }

    private void visit(Object object, double weight, int depth, boolean root) {
        ClassShape shape = ClassShape.of(object.getClass());
        if (shape.kind == ClassShape.Kind.SHARED || EntrySizer.isCached(object)) {
            return;
        }
        if (met.put(object, Boolean.TRUE) != null || (shared.isShared(object, owner) && !root)) {
            return;
        }
        visited++;
        bytes += weight * ownBytes(object, shape);
        switch (shape.kind) {
            case FIELDS -> pushFields(object, shape, weight, depth);
            case REFERENCE_ARRAY -> pushElements((Object[]) object, weight, depth);
            case COLLECTION -> visitCollection((Collection<?>) object, weight, depth);
            case MAP -> visitMap((Map<?, ?>) object, weight, depth);
            default -> {}
        }
    }

    private static long ownBytes(Object object, ClassShape shape) {
        return switch (shape.kind) {
            case STRING -> EntrySizer.stringBytes((String) object);
            case BIG_INTEGER -> bytes((BigInteger) object);
            case BIG_DECIMAL -> shape.shallowBytes + unscaledBytes((BigDecimal) object);
            case PRIMITIVE_ARRAY -> LAYOUT.arrayBytes(Array.getLength(object), shape.shallowBytes);
            case REFERENCE_ARRAY -> LAYOUT.referenceArrayBytes(((Object[]) object).length);
            default -> shape.shallowBytes;
        };
    }

    private static long bytes(BigInteger number) {
        return BIG_INTEGER_BYTES + EntrySizer.align(number.bitLength() / Byte.SIZE);
    }

    private static long unscaledBytes(BigDecimal number) {
        return number.precision() <= COMPACT_DIGITS ? 0 : bytes(number.unscaledValue());
    }

    private void pushFields(Object object, ClassShape shape, double weight, int depth) {
        for (Field field : shape.references) {
            try {
                push(field.get(object), weight, depth);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException("Was made accessible: " + field, e);
            }
        }
    }

    /**
     * Pushes elements that stand for all. The first one is visited with all that it leads to before
     * the others, and stands for itself only: what the elements share counts once.
     */
    private void pushElements(Object[] array, double weight, int depth) {
        int wanted = sampledElements(depth);
        int step = Math.max(1, array.length / wanted);
        int looked = 0;
        int found = 0;
        int first = -1;
        for (int i = 0; i < array.length; i += step) {
            looked++;
            if (array[i] != null) {
                found++;
                first = first < 0 ? i : first;
            }
        }
        if (found == 0) {
            return;
        }
        double all = (double) array.length * found / looked;
        double each = found == 1 ? weight : weight * (all - 1) / (found - 1);
        for (int i = first + step; i < array.length; i += step) {
            push(array[i], each, depth + 1);
        }
        push(array[first], found == 1 ? weight * all : weight, depth + 1);
    }

    private static int sampledElements(int depth) {
        return SAMPLED_ELEMENTS[Math.min(depth, SAMPLED_ELEMENTS.length - 1)];
    }

    private void visitCollection(Collection<?> collection, double weight, int depth) {
        int size = collection.size();
        bytes += weight * (size * elementBytes(collection) + tableBytes(collection, size));
        Object[] sample = new Object[Math.min(size, sampledElements(depth))];
        Iterator<?> elements = collection.iterator();
        for (int i = 0; i < sample.length && elements.hasNext(); i++) {
            sample[i] = elements.next();
        }
        pushSample(sample, 1, size, weight, depth);
    }

    private void visitMap(Map<?, ?> map, double weight, int depth) {
        int size = map.size();
        bytes += weight * (size * entryBytes(map) + tableBytes(map, size));
        Object[] sample = new Object[2 * Math.min(size, sampledElements(depth))];
        Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator();
        for (int i = 0; i < sample.length && entries.hasNext(); i += 2) {
            Map.Entry<?, ?> entry = entries.next();
            sample[i] = entry.getKey();
            sample[i + 1] = entry.getValue();
        }
        pushSample(sample, 2, size, weight, depth);
    }

    /** Like {@link #pushElements}, for a sample of {@code perElement} objects an element. */
    private void pushSample(Object[] sample, int perElement, int size, double weight, int depth) {
        int sampled = sample.length / perElement;
        double each = sampled <= 1 ? weight : weight * (size - 1) / (sampled - 1);
        for (int i = sample.length - 1; i >= 0; i--) {
            push(sample[i], i < perElement ? weight : each, depth + 1);
        }
    }

    /** Sets keep nodes, and so does a linked list; anything else keeps references. */
    private static long elementBytes(Collection<?> collection) {
        if (collection instanceof LinkedList) {
            return LAYOUT.objectBytes(3, 0);
        }
        return collection instanceof Set ? LAYOUT.objectBytes(3, 4) : LAYOUT.referenceBytes();
    }

    private static long entryBytes(Map<?, ?> map) {
        if (map instanceof TreeMap) {
            return LAYOUT.objectBytes(5, 1);
        }
        return LAYOUT.objectBytes(map instanceof LinkedHashMap ? 5 : 3, 4);
    }

    /** The hash array, for all that have one: a power of two, at most three quarters full. */
    private static long tableBytes(Object container, int size) {
        if (size == 0 || container instanceof TreeMap || container instanceof LinkedList) {
            return 0;
        }
        if (!(container instanceof Set || container instanceof Map)) {
            return LAYOUT.referenceArrayBytes(0);
        }
        int needed = Math.max(16, size + size / 3);
        return LAYOUT.referenceArrayBytes(1L << (32 - Integer.numberOfLeadingZeros(needed - 1)));
    }
}
