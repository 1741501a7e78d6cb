/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.savepoint;

import io.strata.flink.compaction.Expiry;
import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.state.ListFormat;
import java.io.IOException;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.ListSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.RegisteredKeyValueStateBackendMetaInfo;
import org.apache.flink.runtime.state.StateSnapshotTransformer;
import org.apache.flink.runtime.state.StateSnapshotTransformer.CollectionStateSnapshotTransformer;
import org.apache.flink.runtime.state.StateSnapshotTransformer.CollectionStateSnapshotTransformer.TransformStrategy;

/**
 * Applies what Flink asks of a full snapshot, which is to leave out expired state, to the bytes of
 * each kind of state.
 */
final class EntryFilters {

    private EntryFilters() {}

    /**
     * Returns the filter of a state, null when everything is written. Task thread only: it takes
     * duplicates of serializers for the thread that writes (I9).
     *
     * @param expiry of the state, for the thread that writes: what has expired is never written,
     *     whether the state's configuration mentions snapshots or not
     */
    @Nullable
    static EntryFilter of(RegisteredKeyValueStateBackendMetaInfo<?, ?> metaInfo, Expiry expiry) {
        return expiry.hasTimestamps() ? new ExpiryFilter(expiry.always()) : of(metaInfo);
    }

    @Nullable
    private static EntryFilter of(RegisteredKeyValueStateBackendMetaInfo<?, ?> metaInfo) {
        StateSnapshotTransformer<byte[]> transformer =
                metaInfo.getStateSnapshotTransformFactory().createForSerializedState().orElse(null);
        if (transformer == null) {
            return null;
        }
        return switch (metaInfo.getStateType()) {
            case MAP -> value -> filterMapEntry(value, transformer);
            case LIST -> {
                ListSerializer<?> list = (ListSerializer<?>) metaInfo.getStateSerializer();
                yield new ListFilter(transformer, list.getElementSerializer().duplicate());
            }
            default -> transformer::filterOrTransform;
        };
    }

    /** Leaves out values and elements that have expired. */
    private static final class ExpiryFilter implements EntryFilter {

        private static final int ENTRIES_A_LOOK = 1024;

        private final Expiry expiry;
        private final ByteSlice value = new ByteSlice();
        private int untilLook;

        ExpiryFilter(Expiry expiry) {
            this.expiry = expiry;
        }

        @Override
        @Nullable
        public byte[] filter(byte[] bytes) throws IOException {
            if (--untilLook < 0) {
                untilLook = ENTRIES_A_LOOK;
                expiry.refresh();
            }
            if (!expiry.judge(value.set(bytes))) {
                return null;
            }
            return expiry.live().length == bytes.length ? bytes : expiry.live().toArray();
        }
    }

    /**
     * The transformer judges the user value behind the null flag. It knows no null values, so such
     * an entry, which is what is left of an expired one in a savepoint of the RocksDB backend, is
     * not written.
     */
    @Nullable
    private static byte[] filterMapEntry(
            byte[] value, StateSnapshotTransformer<byte[]> transformer) {
        boolean isNull = value[0] != 0;
        byte[] userValue = isNull ? null : Arrays.copyOfRange(value, 1, value.length);
        byte[] kept = transformer.filterOrTransform(userValue);
        if (kept == null || kept == userValue) {
            return kept == null ? null : value;
        }
        byte[] flagged = new byte[kept.length + 1];
        System.arraycopy(kept, 0, flagged, 1, kept.length);
        return flagged;
    }

    /**
     * Judges a list element by element; only the elements' serializer knows where one ends.
     *
     * <p>As in Flink, a transformer may ask to be called only up to the first element that stays:
     * elements were added in the order of time, so whatever follows stays too.
     */
    private static final class ListFilter implements EntryFilter {

        private final StateSnapshotTransformer<byte[]> transformer;
        private final TypeSerializer<?> elements;
        private final boolean stopAtFirstKept;
        private final DataInputDeserializer in = new DataInputDeserializer();

        ListFilter(StateSnapshotTransformer<byte[]> transformer, TypeSerializer<?> elements) {
            this.transformer = transformer;
            this.elements = elements;
            this.stopAtFirstKept =
                    transformer instanceof CollectionStateSnapshotTransformer<?> collection
                            && collection.getFilterStrategy()
                                    == TransformStrategy.STOP_ON_FIRST_INCLUDED;
        }

        @Override
        @Nullable
        public byte[] filter(byte[] list) throws IOException {
            in.setBuffer(list);
            DataOutputSerializer out = null;
            while (in.available() > 0) {
                int start = in.getPosition();
                elements.deserialize(in);
                int end = in.getPosition();
                byte[] kept = transformer.filterOrTransform(Arrays.copyOfRange(list, start, end));
                if (kept != null) {
                    if (stopAtFirstKept) {
                        return start == 0 ? list : Arrays.copyOfRange(list, start, list.length);
                    }
                    out = append(out, kept, list.length);
                }
                if (in.available() > 0) {
                    ListFormat.readDelimiter(in);
                }
            }
            return out == null ? null : out.getCopyOfBuffer();
        }

        private static DataOutputSerializer append(
                @Nullable DataOutputSerializer kept, byte[] element, int mostBytes)
                throws IOException {
            DataOutputSerializer out = kept;
            if (out == null) {
                out = new DataOutputSerializer(mostBytes);
            } else {
                out.writeByte(ListFormat.DELIMITER);
            }
            out.write(element);
            return out;
        }
    }
}
