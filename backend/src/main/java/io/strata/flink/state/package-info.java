/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The state objects that a Flink job sees, over the tables of the engine.
 *
 * <p>{@link io.strata.flink.state.StrataStates} is the door: it opens the table of a registered
 * state and makes or updates the state object. From there a call travels
 *
 * <pre>
 *  StrataValueState  ─► ValueTable ─► hot tier, cold tier
 *        │                  └─ FlinkKeyCodec, FlinkValueCodec: bytes, only below the hot tier
 *        └─ InternalKeyContext: the current key
 * </pre>
 *
 * <p>Behaviour is that of Flink's {@code hashmap} backend: null values, default values, what
 * merging namespaces does, which calls return null. Where {@code hashmap} and {@code rocksdb}
 * differ, this is what Strata does:
 *
 * <table>
 * <caption>Choices</caption>
 * <tr><th>case</th><th>hashmap</th><th>rocksdb</th><th>Strata</th></tr>
 * <tr><td>object got from state and changed without update</td><td>kept</td><td>lost</td>
 *     <td>kept until the entry is evicted, never part of a checkpoint by itself</td></tr>
 * <tr><td>object given to update, changed afterwards</td><td>state changes too</td><td>no effect</td>
 *     <td>undefined: state changes too, or not, as long as the object is hot</td></tr>
 * <tr><td>list returned by {@code get}, changed</td><td>state changes too</td><td>no effect</td>
 *     <td>no effect</td></tr>
 * <tr><td>list returned by {@code get}, then cleared and filled again</td><td>keeps its elements</td>
 *     <td>keeps its elements</td><td>keeps its elements</td></tr>
 * <tr><td>{@code addAll} or {@code putAll} with null</td><td>fails</td><td>putAll: ignored</td>
 *     <td>putAll: ignored, addAll: fails</td></tr>
 * <tr><td>map emptied through its iterator</td><td>stays, as an empty map</td><td>is gone</td>
 *     <td>is gone</td></tr>
 * <tr><td>null given to {@code updateInternal}</td><td>stays, as null</td><td>fails</td>
 *     <td>is gone</td></tr>
 * <tr><td>order of a map's entries</td><td>hash order</td><td>byte order</td><td>none</td></tr>
 * <tr><td>null added to reducing or aggregating state</td><td>clears</td><td>goes to the function</td>
 *     <td>clears</td></tr>
 * </table>
 *
 * <p>Everything here belongs to the task thread, except {@code getSerializedValue} of states that
 * hold one value, which queries may call. Codecs are duplicated for the threads that flush (I9).
 */
package io.strata.flink.state;
