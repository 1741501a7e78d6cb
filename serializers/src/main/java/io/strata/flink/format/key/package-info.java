/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The composite key: the bytes under which one record of keyed state is stored, and its order key.
 *
 * <h2>Composite key bytes</h2>
 *
 * They are exactly those of Flink's canonical savepoint (and so of its RocksDB backend), so that a
 * savepoint is written and read by copying:
 *
 * <pre>
 *  +-----------+----------+- - - - - -+-----------+- - - - - -+- - - - - +
 *  | key group | key      | key       | namespace | namespace | user key |
 *  | 1 or 2 B  | any      | suffix    | any       | suffix    | any      |
 *  +-----------+----------+- - - - - -+-----------+- - - - - -+- - - - - +
 *                          only when   may be      only when   only in
 *                          ambiguous   empty       ambiguous   map state
 * </pre>
 *
 * <ul>
 *   <li><b>Key group</b>: big-endian; one byte up to 128 key groups in the job, else two ({@link
 *       io.strata.flink.format.key.KeyGroupPrefix}).
 *   <li><b>Key, namespace, user key</b>: what their serializers write.
 *   <li><b>Suffixes</b>: written when key <i>and</i> namespace have serializers of variable length,
 *       because (key, namespace) pairs could then share bytes. Each is the length in bytes of the
 *       part before it, base 256, least significant byte first, without leading zero bytes, at
 *       least one byte: 5 is {@code 05}, 300 is {@code 2c 01}.
 * </ul>
 *
 * <p>Worked example: key group 7 of 128, key {@code "ab"} and namespace {@code "x"}, both Flink
 * strings (a length plus one, then the characters):
 *
 * <pre>
 *  07          key group 7
 *  03 61 62    key "ab"
 *  03          the key took 3 bytes
 *  02 78       namespace "x"
 *  02          the namespace took 2 bytes
 * </pre>
 *
 * <h2>Order key</h2>
 *
 * Inside a key group records are ordered by a 64-bit, unsigned order key ({@link
 * io.strata.flink.format.key.OrderKeys}), then by their key bytes. For states other than map it is
 * the hash of (key, namespace); for map states its high half is that hash's high half and its low
 * half comes from the user key (itself up to four bytes, its hash beyond), so that the entries of
 * one map are neighbours. The hash is xxHash64 under a fixed seed that is part of the format, over
 * the bytes after the key-group prefix.
 */
package io.strata.flink.format.key;
