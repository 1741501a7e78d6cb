/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.compaction.Expiry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.flink.api.common.state.StateDescriptor.Type;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.ByteSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.api.common.typeutils.base.MapSerializer;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.StateSnapshotTransformer;
import org.apache.flink.runtime.state.StateSnapshotTransformer.CollectionStateSnapshotTransformer;
import org.apache.flink.runtime.state.StateSnapshotTransformer.StateSnapshotTransformFactory;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.junit.jupiter.api.Test;

/** What is left of an entry by transformers of any kind: the letter x is expired, y becomes Y. */
class EntryFiltersTest {

    private static final TypeSerializer<?> LIST = new ListSerializer<>(ByteSerializer.INSTANCE);
    private static final TypeSerializer<?> MAP =
            new MapSerializer<>(ByteSerializer.INSTANCE, ByteSerializer.INSTANCE);

    private static byte[] transform(byte[] value) {
        return switch (value == null ? 'x' : value[0]) {
            case 'x' -> null;
            case 'y' -> bytes("Y");
            default -> value;
        };
    }

    @Test
    void thereIsNoneWithoutATransformer() {
        assertThat(EntryFilters.of(metaInfo(Type.LIST, LIST, null), Expiry.NEVER)).isNull();
    }

    @Test
    void valuesAreJudgedAsAWhole() throws IOException {
        for (Type type : new Type[] {Type.VALUE, Type.REDUCING, Type.AGGREGATING}) {
            EntryFilter filter = filter(type, ByteSerializer.INSTANCE);
            assertThat(filter.filter(bytes("x"))).isNull();
            assertThat(filter.filter(bytes("y"))).isEqualTo(bytes("Y"));
            assertThat(filter.filter(bytes("z"))).isEqualTo(bytes("z"));
        }
    }

    @Test
    void mapValuesAreJudgedBehindTheNullFlag() throws IOException {
        EntryFilter filter = filter(Type.MAP, MAP);

        assertThat(filter.filter(bytes("\0x"))).isNull();
        assertThat(filter.filter(bytes("\0y"))).isEqualTo(bytes("\0Y"));
        assertThat(filter.filter(bytes("\0z"))).isEqualTo(bytes("\0z"));
        assertThat(filter.filter(bytes("\1"))).as("expired, by the RocksDB backend").isNull();
    }

    @Test
    void listsAreJudgedElementByElement() throws IOException {
        EntryFilter filter = filter(Type.LIST, LIST);

        assertThat(filter.filter(bytes("x,y,z,x,,"))).isEqualTo(bytes("Y,z,,"));
        assertThat(filter.filter(bytes("z"))).isEqualTo(bytes("z"));
        assertThat(filter.filter(bytes("x,x"))).isNull();
    }

    @Test
    void listsAreNotReadBeyondTheFirstKeptElementIfThatIsEnough() throws IOException {
        CollectionStateSnapshotTransformer<byte[]> stopping =
                new CollectionStateSnapshotTransformer<>() {
                    @Override
                    public byte[] filterOrTransform(byte[] value) {
                        return transform(value);
                    }

                    @Override
                    public TransformStrategy getFilterStrategy() {
                        return TransformStrategy.STOP_ON_FIRST_INCLUDED;
                    }
                };
        EntryFilter filter = EntryFilters.of(metaInfo(Type.LIST, LIST, stopping), Expiry.NEVER);
        byte[] kept = bytes("z,x");

        assertThat(filter.filter(bytes("x,x,z,x,y"))).isEqualTo(bytes("z,x,y"));
        assertThat(filter.filter(kept)).isSameAs(kept);
        assertThat(filter.filter(bytes("x,x"))).isNull();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static EntryFilter filter(Type type, TypeSerializer<?> serializer) {
        return EntryFilters.of(
                metaInfo(type, serializer, EntryFiltersTest::transform), Expiry.NEVER);
    }

    @SuppressWarnings("unchecked")
    private static RegisteredKeyValueStateBackendMetaInfo<?, ?> metaInfo(
            Type type, TypeSerializer<?> serializer, StateSnapshotTransformer<byte[]> serialized) {
        StateSnapshotTransformFactory<Object> factory =
                new StateSnapshotTransformFactory<>() {
                    @Override
                    public Optional<StateSnapshotTransformer<Object>> createForDeserializedState() {
                        throw new UnsupportedOperationException("makes objects");
                    }

                    @Override
                    public Optional<StateSnapshotTransformer<byte[]>> createForSerializedState() {
                        return Optional.ofNullable(serialized);
                    }
                };
        return new RegisteredKeyValueStateBackendMetaInfo<>(
                type,
                "state",
                VoidNamespaceSerializer.INSTANCE,
                (TypeSerializer<Object>) serializer,
                factory);
    }
}
