/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.state.State;

/** The heap backend with a planted bug: it forgets every fifth clear. */
final class BrokenUnderTest extends HashMapUnderTest {
    private static final int FORGOTTEN = 5;

    @Override
    public String name() {
        return "broken";
    }

    @Override
    public State decorate(StateSpec spec, State state) {
        AtomicInteger clears = new AtomicInteger();
        return (State)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        interfacesOf(state),
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("clear")
                                    && clears.incrementAndGet() % FORGOTTEN == 0) {
                                return null;
                            }
                            try {
                                return method.invoke(state, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    private static Class<?>[] interfacesOf(State state) {
        Set<Class<?>> interfaces = new LinkedHashSet<>();
        for (Class<?> c = state.getClass(); c != null; c = c.getSuperclass()) {
            interfaces.addAll(List.of(c.getInterfaces()));
        }
        return interfaces.toArray(Class<?>[]::new);
    }
}
