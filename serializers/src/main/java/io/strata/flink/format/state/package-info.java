/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The value bytes of each kind of state, equal to those of Flink's canonical savepoint (and so of
 * its RocksDB backend).
 *
 * <table>
 * <caption>One record's value</caption>
 * <tr><th>state</th><th>bytes</th></tr>
 * <tr><td>value, reducing, aggregating</td><td>what the value's or accumulator's serializer writes
 *     ({@link io.strata.flink.format.state.ValueFormat})</td></tr>
 * <tr><td>list</td><td>the elements, a comma ({@code 2c}) between each two of them, none at the end;
 *     a list is never empty ({@link io.strata.flink.format.state.ListFormat})</td></tr>
 * <tr><td>map</td><td>one record an entry: a byte {@code 01} for a null value, else {@code 00} and
 *     the value ({@link io.strata.flink.format.state.MapValueFormat})</td></tr>
 * </table>
 *
 * <p>The comma is no escape and may occur inside an element: a list is read by letting the
 * element's serializer find each element's end. It makes two encoded lists concatenable with one
 * comma between them, without decoding, which is what an APPEND record rests on.
 *
 * <p>Time to live adds nothing here: Flink's TTL serializers write the timestamp as part of the
 * value, element or map value.
 */
package io.strata.flink.format.state;
