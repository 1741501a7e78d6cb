/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The hot tier: a write-back cache of live objects, one table per state. Knows no disk: what it
 * calls "below" (flushes in flight, runs) is the business of its caller.
 *
 * <h2>Rooms</h2>
 *
 * <ul>
 *   <li>{@link io.strata.flink.hot.HotTable} (values), {@link io.strata.flink.hot.HotListTable} and
 *       {@link io.strata.flink.hot.HotMapTable} are what the engine uses.
 *   <li>{@code EpochTable} beneath them knows epochs: what may change in place, what has to be
 *       replaced, what the next flush is told. {@code DirtyList} collects that, {@link
 *       io.strata.flink.hot.DirtyEntries} hands it over, {@code ByteLedger} keeps the bytes.
 *   <li>{@code ChainTable} chains nodes by hash; {@code ChainCursor} walks over them.
 *   <li>{@code Evictor} decides who leaves, with a {@code ProbationRing} and a {@code GhostTable}.
 *   <li>{@code HotNode} is what {@link io.strata.flink.hot.HotEntry} and {@link
 *       io.strata.flink.hot.HotSlot} have in common: "node" means either.
 *   <li>{@link io.strata.flink.hot.HeapBudget}: how much may be here, divided by {@code
 *       FairShares}, corrected by {@link io.strata.flink.hot.BudgetFeedback}. {@link
 *       io.strata.flink.hot.EntrySizer} for values and {@link io.strata.flink.hot.KeySizer} for
 *       keys: how much is. Both use {@code FootprintWalk}, which measures one value, with what
 *       {@code ClassShape} knows of its class and {@code HeapLayout} of the JVM.
 * </ul>
 *
 * <h2>Epochs</h2>
 *
 * A node carries the epoch of its last change; {@link io.strata.flink.hot.EpochClock} says what
 * that means now. Nothing is visited when an epoch is sealed or installed.
 *
 * <pre>
 *                  update                        seal                 installed
 *   clean ---------------------> dirty ------------------> frozen -----------------> clean
 *     ^    in place, listed once          list handed        |     nobody looks at it
 *     |                                   to the flush       |
 *     |                             update: a new node takes its place, dirty and listed
 *     |                             thaw:   a private copy takes its place, THAWED
 *     |        installed                     |
 *     +--------------------------------------+ update: in place, listed
 * </pre>
 *
 * <ul>
 *   <li>A frozen node never changes (I7): whoever wants to change it, or to give a mutable value to
 *       the user, gets another node of the same key in its place. The frozen one is then detached:
 *       only the flush holds it, until its epoch is installed.
 *   <li>A THAWED copy keeps the epoch of what it was copied from. So it cannot be evicted before
 *       that epoch is installed (I8; the runs would give an older value until then), and it is
 *       clean afterwards. It is copied once: the flag says that no flush knows this object.
 *   <li>A key that is changed in several epochs in flight is in several dirty lists, as one node
 *       each. Within one epoch it is listed once, when it is first dirtied.
 *   <li>ABSENT_BELOW: the key was created in the current epoch while nothing older existed, in runs
 *       or in flight. Its deletion then leaves no trace: the node vanishes, and its list skips it.
 *       The flag means something only in the epoch that set it, and the next change drops it: once
 *       sealed, the key does exist below. Re-creating a key over its tombstone never sets it.
 *   <li>A clean tombstone says no more than the runs do, so it may go at any time and leaves a
 *       {@code complete} table or map complete.
 * </ul>
 *
 * <h2>Lists</h2>
 *
 * A frozen list and its successor share one element array: only the successor appends, beyond the
 * size that the frozen one remembers. Adding to a frozen list of a million elements thus costs one
 * entry and one list object. Elements that the user may change are copied when he reads them while
 * a flush may still do so, once per epoch. A list with older elements below knows, for every epoch
 * in flight, how many of its elements it sealed, so that a reader of the runs neither misses an
 * element nor reads it twice whatever is installed meanwhile. Its elements are dropped once the
 * runs have them: reading it needs the runs anyway.
 *
 * <h2>Maps</h2>
 *
 * Slots, not maps, have epochs: a map is only the place where its slots are chained, at 40 bytes,
 * an array that starts at two references, and 40 bytes a slot ({@code java.util.HashMap}: 48,
 * sixteen references, 32 a node). A map is {@code complete} from its creation, if nothing lies
 * below, or from when everything was loaded, until a live slot of it is evicted. A map whose last
 * slot goes leaves the table.
 *
 * <h2>Chains, rehash and cursors</h2>
 *
 * The index of a bucket is the TOP of the hash, so a bucket is an interval of hashes whatever the
 * size of the array, and a place in hash order stays meaningful through every rehash, growing or
 * shrinking. Cursors and the CLOCK hand are such places: they read one bucket (the smaller one
 * while a rehash is under way), remember its nodes and go on behind it. A node is therefore met
 * exactly once; one that was replaced since is looked up again by its key. The hash arrays are
 * rehashed incrementally, a few buckets an operation, reads included; the array of one map at once,
 * like {@code java.util.HashMap}'s.
 *
 * <h2>Eviction</h2>
 *
 * S3-FIFO, with a CLOCK hand in hash order for its main queue (see {@code Evictor} and
 * docs/adr/0011). Once something had to leave, new nodes are on PROBATION: a twentieth of the
 * table, in the order in which they came. Whoever was not found again meanwhile leaves, so that one
 * scan does not push out what is used. Of the others the hand takes those without hits; each node
 * counts up to three. A fingerprint of who left stays for a while, and spares him the probation if
 * he comes back. Dirty and frozen nodes stay (I8). Lists that are appended to in every epoch are
 * never clean; of them the elements go that the runs have. Clean tombstones leave first when they
 * are more than a sixteenth of a table, and when they are more than a quarter each insertion moves
 * the hand on by a few nodes and takes those. Where namespaces have deadlines ({@code
 * NearDeadlines}), nodes whose turn it is stay for that time if theirs is nearer than the mean.
 * While hardly anything is found, {@code Admission} turns away what is loaded.
 *
 * <h2>Bytes</h2>
 *
 * A node is counted as 40 bytes (64 without compressed references), its key, and the size its owner
 * gives for the value, rounded up to 8 bytes (beyond 128 MiB to 4 KiB: flags and size share one
 * int). Arrays, dirty lists and what the evictor keeps are counted too, and detached nodes until
 * their epoch is installed. {@code checkStructure} recounts all of it.
 *
 * <p>The size of a value is exact for simple types; any other value is taken for as large as those
 * of its state that were measured lately. So single sizes may be wrong, and their sum is within a
 * few per cent ({@code ValueSizesTest} allows 25). What a key takes must be the same whenever it is
 * asked for, so keys of other than simple types are all taken for as large as the first one.
 *
 * <h2>Threads</h2>
 *
 * <table>
 *   <caption>Which thread may touch what</caption>
 *   <tr><th>what</th><th>task thread</th><th>flush thread</th><th>others</th></tr>
 *   <tr><td>tables, clock, cursors, sizers</td><td>all</td><td>-</td><td>-</td></tr>
 *   <tr><td>DirtyEntries, and of their nodes: key, namespace, user key, value, epoch, tombstone,
 *       vanished</td><td>until the seal</td><td>reads, after the hand-over</td><td>-</td></tr>
 *   <tr><td>chain link, HITS and PROBATION of a frozen node</td><td>all</td><td>-</td><td>-</td></tr>
 *   <tr><td>HotTable.peek</td><td>-</td><td>-</td><td>may miss what moves</td></tr>
 *   <tr><td>HotBytes</td><td>writes</td><td>-</td><td>read</td></tr>
 *   <tr><td>HeapBudget, HeapLease</td><td>all</td><td>all</td><td>all</td></tr>
 *   <tr><td>BudgetFeedback</td><td>-</td><td>-</td><td>its owner, one at a time</td></tr>
 * </table>
 *
 * <h2>Intended, though it may look odd</h2>
 *
 * <ul>
 *   <li>The task thread writes HITS and PROBATION into an int that the flush thread reads for other
 *       bits. An int is written whole and those other bits no longer change, so the flush cannot
 *       misread it.
 *   <li>A detached node links to itself. That saves a flag, and makes a stale handle fail instead
 *       of losing an update.
 *   <li>{@code THAWED} and {@code ABSENT_BELOW} stay set on nodes for which they mean nothing any
 *       more; the epoch decides whether they are looked at.
 *   <li>The ring of an evictor holds hashes. That of a node that is gone finds nothing when its
 *       turn comes; of two nodes with one hash, either may be judged first.
 *   <li>A node that is found twice in a row counts as found once.
 *   <li>Vanished nodes stay in the dirty list until they are its majority.
 *   <li>The sweep of tombstones moves the CLOCK hand on without taking hits from what it passes.
 *   <li>The bytes of a frozen list whose array its successor shares are counted once, with the
 *       successor; when that one is replaced first, they are missed until the flush is installed.
 *   <li>Adding an element looks whether the place behind the last one is free, although only the
 *       newest list of an array ever appends to it.
 * </ul>
 *
 * <p>Sources of ideas: CLOCK (Corbató 1968); queues of newcomers and of proven entries, with ghosts
 * (S3-FIFO, Yang et al., SOSP 2023; ARC, Megiddo and Modha 2003); incremental rehash of chained
 * tables as in Redis' {@code dict} and Flink's {@code CopyOnWriteStateMap}; scans that survive a
 * rehash because buckets nest (Redis {@code SCAN}, by P. Noordhuis, there with reversed bits);
 * write-back tables that are sealed whole (the memtables of LSM trees).
 */
package io.strata.flink.hot;
