/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.engine.EntryCursor;
import java.io.IOException;
import java.util.Spliterator;
import java.util.Spliterators.AbstractSpliterator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.util.FlinkRuntimeException;

/** A lazy stream over the keys and namespaces that a cursor of the engine walks. */
final class EntryStream<K, N> extends AbstractSpliterator<Tuple2<K, N>> {

    private final String stateName;
    private final EntryCursor<K, N> cursor;

    private EntryStream(String stateName, EntryCursor<K, N> cursor) {
        super(Long.MAX_VALUE, Spliterator.NONNULL | Spliterator.DISTINCT);
        this.stateName = stateName;
        this.cursor = cursor;
    }

    static <K, N> Stream<Tuple2<K, N>> of(String stateName, EntryCursor<K, N> cursor) {
        return StreamSupport.stream(new EntryStream<>(stateName, cursor), false);
    }

    @Override
    public boolean tryAdvance(Consumer<? super Tuple2<K, N>> action) {
        try {
            if (!cursor.next()) {
                return false;
            }
            action.accept(Tuple2.of(cursor.key(), cursor.namespace()));
            return true;
        } catch (IOException e) {
            throw new FlinkRuntimeException("Cannot read state '" + stateName + "'", e);
        }
    }
}
