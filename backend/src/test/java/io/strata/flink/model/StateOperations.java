/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.State;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.queryablestate.client.state.serialization.KvStateSerializer;
import org.apache.flink.runtime.state.internal.InternalKvState;

/** Operations that every kind of state has. */
final class StateOperations {

    private StateOperations() {}

    record Read(Operation.Place at) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            return StateAccess.read(job.spec(at), job.at(at));
        }
    }

    record Clear(Operation.Place at) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            State state = job.at(at);
            state.clear();
            return StateAccess.read(job.spec(at), state);
        }
    }

    /** Changes without reading first, where the kind of state allows that. */
    record Change(Operation.Place at, long recipe) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            StateAccess.change(job.spec(at), job.at(at), recipe);
            return "";
        }
    }

    record Replace(Operation.Place at, long recipe) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            StateAccess.replace(job.spec(at), job.at(at), recipe);
            return "";
        }
    }

    /** Reads as queryable state does: serialized, whatever the current key and namespace are. */
    record ReadSerialized(Operation.Place at) implements Operation {
        @Override
        @SuppressWarnings("unchecked")
        public String apply(KeyedJob job) throws Exception {
            StateSpec spec = job.spec(at);
            Object key = job.scenario().keyType().key(at.key());
            Object namespace = spec.namespaces().namespace(at.namespace());
            InternalKvState<Object, Object, Object> state =
                    (InternalKvState<Object, Object, Object>) job.instanceOf(key).state(spec);
            TypeSerializer<Object> keys = state.getKeySerializer().duplicate();
            TypeSerializer<Object> namespaces = state.getNamespaceSerializer().duplicate();
            TypeSerializer<Object> values = state.getValueSerializer().duplicate();
            byte[] place =
                    KvStateSerializer.serializeKeyAndNamespace(key, keys, namespace, namespaces);
            byte[] found = state.getSerializedValue(place, keys, namespaces, values);
            return found == null ? "absent" : Observed.of(decode(values, found));
        }

        @SuppressWarnings("unchecked")
        private static Object decode(TypeSerializer<Object> values, byte[] bytes) throws Exception {
            TypeSerializer<?> serializer = values;
            if (serializer instanceof MapSerializer<?, ?> map) {
                Map<?, ?> decoded =
                        KvStateSerializer.deserializeMap(
                                bytes, map.getKeySerializer(), map.getValueSerializer());
                return decoded;
            }
            if (serializer instanceof ListSerializer<?> list && bytes.length > 0) {
                List<?> decoded =
                        KvStateSerializer.deserializeList(bytes, list.getElementSerializer());
                return decoded;
            }
            return KvStateSerializer.deserializeValue(bytes, values);
        }
    }
}
