/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.engine;

import io.strata.flink.compaction.ValueRules;
import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.hot.EpochClock;
import io.strata.flink.hot.HotBytes;
import io.strata.flink.hot.HotListTable;
import io.strata.flink.hot.HotTable;
import io.strata.flink.pagecache.PageCache;
import io.strata.flink.segment.Run;
import io.strata.flink.segment.RunView;
import io.strata.flink.segment.Segment;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * All keyed state of one backend, in both tiers. Task thread only (I2), but for {@link #stats()}.
 *
 * <p>Life of a change: it dirties an entry of a hot table in the current epoch. At a record
 * boundary, when much is dirty, or for a snapshot, the epoch is sealed and its entries go to a
 * {@link FlushJob}. At a later boundary the finished segment is installed as the newest run of each
 * table, which makes the entries clean, and clean entries may be evicted (I8).
 *
 * <p>Epochs are sealed between records, when the user holds no live object. Within a record it
 * happens only as a stall: the task waits until the flush is installed, so that nobody changes an
 * object that is being serialized.
 */
public final class TieredStore implements Closeable {

    /** Boundaries between two publications of the counters. */
    private static final int PUBLISH_MASK = (1 << 12) - 1;

    /** How long a seal waits for compactions that have fallen behind. */
    private static final long DEBT_WAIT_NANOS = 500_000_000;

    private static final int MAX_DEBT = 4;

    private final StoreConfig config;
    private final EpochClock clock = new EpochClock();
    private final HotBytes hotBytes = new HotBytes();
    private final FlushPipeline flushes;
    private final CompactionScheduler compactions;
    private final MemoryPressure pressure;
    private final StoreCounters counters = new StoreCounters();
    private final boolean testRegime;

    /** Runs by state name, also of states that are not registered. */
    private final Map<String, TableRuns> runs = new LinkedHashMap<>();

    private final Map<String, TieredTable<?, ?>> tables = new LinkedHashMap<>();

    /** Iterators that hold segments until the record ends. */
    private final List<ListStream<?>> openStreams = new ArrayList<>();

    /** Iterators over hot maps that want to know of evictions until the record ends. */
    private final List<MapIterator<?, ?, ?, ?>> openMapIterators = new ArrayList<>();

    private long evictions;

    /** Set by background threads when a result is there. */
    private volatile boolean resultsWaiting;

    private volatile StoreStats stats = StoreStats.empty();
    private long boundaries;
    private int operationsSinceFlush;
    private boolean closed;

    /** Makes an empty store. */
    public TieredStore(StoreConfig config) {
        this.config = config;
        this.flushes = new FlushPipeline(config, this::wake);
        this.compactions = new CompactionScheduler(config, runs.values(), this::wake);
        this.pressure =
                new MemoryPressure(
                        this, hotBytes, config.heapLease(), config.tuning().leastHotBytes());
        this.testRegime = config.tuning().flushEveryOperations() > 0;
    }

    /** Called by background threads. */
    private void wake() {
        resultsWaiting = true;
    }

    // ---- tables ----

    /** Opens the table of a value, reducing or aggregating state. */
    public <K, N, V> ValueTable<K, N, V> valueTable(
            String stateName, KeyCodec<K, N> keys, ValueCodec<V> values) {
        return open(
                stateName,
                r ->
                        new ValueTable<>(
                                this,
                                r,
                                keys,
                                values,
                                new HotTable<>(clock, hotBytes, TieredTable.hotOptions(keys))));
    }

    /** Opens the table of a list state. */
    public <K, N, T> ListTable<K, N, T> listTable(
            String stateName, KeyCodec<K, N> keys, ElementCodec<T> elements) {
        return open(
                stateName,
                r ->
                        new ListTable<>(
                                this,
                                r,
                                keys,
                                elements,
                                new HotListTable<>(clock, hotBytes, TieredTable.hotOptions(keys))));
    }

    /** Opens the table of a map state. */
    public <K, N, UK, UV> MapTable<K, N, UK, UV> mapTable(
            String stateName, MapKeyCodec<K, N, UK> keys, ValueCodec<UV> values) {
        return open(stateName, r -> new MapTable<>(this, r, keys, values));
    }

    private <T extends TieredTable<?, ?>> T open(String stateName, Function<TableRuns, T> factory) {
        if (tables.containsKey(stateName)) {
            throw new IllegalStateException("State " + stateName + " has a table already.");
        }
        T table = factory.apply(runs.computeIfAbsent(stateName, TableRuns::new));
        tables.put(stateName, table);
        return table;
    }

    /**
     * Takes over the runs of checkpoint handles, side by side. Before any table is opened.
     *
     * <p>One reference to each given segment passes to the store.
     */
    public void restore(List<RestoredRuns> handles) {
        if (!tables.isEmpty()) {
            throw new IllegalStateException("Tables were opened before the restore.");
        }
        for (RestoredRuns handle : handles) {
            for (StoreManifest.StateRuns state : handle.manifest().states()) {
                runs.computeIfAbsent(state.stateName(), TableRuns::new).adopt(handle.views(state));
            }
        }
        Segment.releaseAll(handles.stream().flatMap(h -> h.segments().stream()).toList());
        countDirectories();
        publishStats();
    }

    /** Returns the schemas that the runs of a state were written in. */
    public Set<Long> schemaIds(String stateName) {
        return RunSet.schemaIds(viewsOf(stateName));
    }

    /** Returns what the runs of a state hold, records that later ones replace counted too. */
    public ColdSize coldSize(String stateName) {
        return ColdSize.of(viewsOf(stateName));
    }

    private List<RunView> viewsOf(String stateName) {
        TableRuns table = runs.get(stateName);
        return table == null ? List.of() : table.current().newestFirst();
    }

    // ---- what the backend calls ----

    /**
     * Tells that the work on one record is over: the user holds no live object. Installs what
     * background threads have finished, seals the epoch when much is dirty, and makes room.
     *
     * @throws UncheckedIOException if a flush or a compaction failed; the task cannot go on
     */
    public void recordBoundary() {
        if (!openStreams.isEmpty() || !openMapIterators.isEmpty()) {
            endIterators();
        }
        if (resultsWaiting || pressure.wantsSeal() || pressure.isOverLimit()) {
            try {
                work();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        if ((++boundaries & PUBLISH_MASK) == 0) {
            runs.values().forEach(compactions::considerExpiry);
            publishStats();
        }
    }

    private void endIterators() {
        openStreams.forEach(ListStream::suspend);
        openStreams.clear();
        openMapIterators.forEach(iterator -> iterator.recordEnded(evictions));
        openMapIterators.clear();
    }

    private void work() throws IOException {
        installFinished();
        if (pressure.wantsSeal()) {
            waitForCompactionDebt();
            seal();
        }
        relieve(0);
        publishStats();
    }

    /**
     * Takes a snapshot of the state as it is now, without runs that have expired. Constant time: it
     * seals the epoch and retains the runs. Only between records.
     */
    public StoreSnapshot snapshot() {
        runs.values().forEach(compactions::dropExpired);
        pressure.evictExcess(); // a task without records makes room here when its lease has shrunk
        seal();
        Map<String, List<RunView>> installed = new LinkedHashMap<>();
        for (TableRuns table : runs.values()) {
            List<RunView> views = table.current().newestFirst();
            views.forEach(view -> view.run().segment().retain());
            installed.put(table.stateName(), views);
        }
        return new StoreSnapshot(config.keyGroups(), installed, flushes.holdAll());
    }

    /** Returns what the values of a state mean, as far as the job has said. */
    public ValueRules rules(String stateName) {
        TableRuns table = runs.get(stateName);
        return table == null ? ValueRules.NONE : table.rules();
    }

    /** Returns the counters as last published by the task thread. Any thread may call. */
    public StoreStats stats() {
        return stats;
    }

    /** Brings {@link #stats()} up to date. */
    public void publishStats() {
        long hotEntries = 0;
        for (TieredTable<?, ?> table : tables.values()) {
            hotEntries += table.hotEntries();
        }
        long coldRecords = 0;
        long coldBytes = 0;
        long runCount = 0;
        for (TableRuns table : runs.values()) {
            RunSet current = table.current();
            runCount += current.size();
            for (int i = 0; i < current.size(); i++) {
                coldRecords += current.get(i).records();
                coldBytes += current.get(i).dataBytes();
            }
        }
        config.heapLease().report(hotBytes.bytes(), counters.coldReads, StallClock.nanos());
        stats =
                new StoreStats(
                        hotEntries,
                        hotBytes.bytes(),
                        hotBytes.dirtyBytes(),
                        coldRecords,
                        coldBytes,
                        runCount,
                        compactions.segments(),
                        counters.hotHits,
                        counters.coldReads,
                        counters.flushes,
                        counters.flushedBytes,
                        compactions.installed(),
                        compactions.writtenBytes(),
                        compactions.readBytes(),
                        compactions.expiredRuns(),
                        compactions.expiredBytes(),
                        counters.evictedBytes,
                        counters.flushStalls.count() + counters.compactionStalls.count(),
                        counters.flushStalls.nanos() + counters.compactionStalls.nanos(),
                        Math.max(
                                counters.flushStalls.longestNanos(),
                                counters.compactionStalls.longestNanos()),
                        counters.compactionStalls.nanos());
    }

    /**
     * Waits for background work, gives all segments and memory back and closes page cache and
     * lease. Idempotent. Files that an open snapshot still needs go when it is closed.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        endIterators();
        flushes.close();
        compactions.close();
        tables.clear();
        runs.values().forEach(TableRuns::releaseAll);
        config.pageCache().close();
        config.heapLease().close();
    }

    // ---- what the tables call ----

    EpochClock clock() {
        return clock;
    }

    HotBytes hotBytes() {
        return hotBytes;
    }

    StoreTuning tuning() {
        return config.tuning();
    }

    PageCache pages() {
        return config.pageCache();
    }

    int pageBytes() {
        return config.segmentOptions().pageBytes();
    }

    KeyGroupSpan keyGroups() {
        return config.keyGroups();
    }

    /** Returns the number of the present record: it changes at every record boundary. */
    long record() {
        return boundaries;
    }

    StoreCounters counters() {
        return counters;
    }

    /** Returns a list from which larger ones are streamed instead of loaded. */
    long streamThresholdBytes() {
        return pressure.limitBytes() / 16;
    }

    /** To be called by a table before it looks anything up. */
    void beforeOperation() throws IOException {
        if (testRegime && ++operationsSinceFlush >= config.tuning().flushEveryOperations()) {
            operationsSinceFlush = 0;
            flushAll();
            if (config.tuning().compactEveryFlush()) {
                awaitCompactions();
            }
            if (config.tuning().evictAll()) {
                evict(Long.MAX_VALUE);
            }
        }
    }

    /** Waits until nothing is left to merge: for the regimes of tests. */
    void awaitCompactions() throws IOException {
        compactions.awaitAll();
    }

    /** To be called by a table after it has grown, when it holds on to nothing it looked up. */
    void afterGrowth() throws IOException {
        if (pressure.isOverLimit()) {
            installFinished();
            relieve(0);
        }
    }

    /** Tells whether the hot tier could grow by so much without exceeding its lease. */
    boolean hasRoomFor(long bytes) {
        return pressure.hasRoomFor(bytes);
    }

    /**
     * Makes room for what is about to be loaded, as far as that is possible. To be called by a
     * table that holds on to nothing it looked up.
     */
    void makeRoomFor(long bytes) throws IOException {
        installFinished();
        relieve(bytes);
    }

    private void relieve(long wantedBytes) throws IOException {
        pressure.makeRoomFor(wantedBytes);
        counters.flushStalls.end();
    }

    void register(ListStream<?> stream) {
        openStreams.add(stream);
    }

    void register(MapIterator<?, ?, ?, ?> iterator) {
        openMapIterators.add(iterator);
    }

    // ---- flush, install, evict ----

    /** Moves all that is hot to the cold tier, and waits until it is there. */
    public void flushAndEvictAll() throws IOException {
        flushAll();
        evict(Long.MAX_VALUE);
    }

    /** Flushes everything that is dirty and waits until it is installed: nothing is frozen then. */
    void flushAll() throws IOException {
        seal();
        while (!flushes.isEmpty()) {
            stallForFlush();
        }
        counters.flushStalls.end();
    }

    private void seal() {
        long sealedBytes = currentEpochBytes();
        if (sealedBytes == 0) {
            return;
        }
        int epoch = clock.seal();
        List<FlushBatch> batches = new ArrayList<>(tables.size());
        for (TieredTable<?, ?> table : tables.values()) {
            FlushBatch batch = table.seal();
            if (batch != null) {
                batches.add(batch);
            }
        }
        flushes.submit(epoch, batches, sealedBytes);
    }

    private void installFinished() throws IOException {
        resultsWaiting = false;
        while (flushes.oldestIsDone()) {
            installOldest();
        }
        compactions.installFinished();
        countDirectories();
    }

    private void countDirectories() {
        long bytes = 0;
        for (TableRuns table : runs.values()) {
            RunSet current = table.current();
            for (int i = 0; i < current.size(); i++) {
                bytes += current.get(i).run().heapBytes();
            }
        }
        pressure.setDirectoryBytes(bytes);
    }

    private void installOldest() throws IOException {
        FlushJob job = flushes.takeOldest();
        Segment segment = job.segment();
        List<TableRuns> changed = new ArrayList<>(segment.runs().size());
        for (Run run : segment.runs()) {
            TableRuns table = runs.get(run.spec().stateName());
            table.addNewest(new RunView(run, config.keyGroups()));
            changed.add(table);
        }
        clock.installed(job.epoch());
        counters.flushes++;
        counters.flushedBytes += segment.fileBytes();
        compactions.consider(changed);
        job.releaseHolder();
    }

    /** Waits for one flush, after starting one if none is under way; false if nothing is dirty. */
    boolean flushOldestAndWait() throws IOException {
        if (flushes.isEmpty()) {
            seal();
        }
        if (flushes.isEmpty()) {
            return false;
        }
        stallForFlush();
        return true;
    }

    private void stallForFlush() throws IOException {
        if (!flushes.oldestIsDone()) {
            counters.flushStalls.begin();
        }
        installOldest();
    }

    /**
     * Keeps the numbers of runs and segments bounded when compaction falls behind: each seal waits
     * a while for it, and beyond {@value #MAX_DEBT} times the limit until it has caught up.
     */
    private void waitForCompactionDebt() throws IOException {
        int limit = config.tuning().maxRunsPerTable();
        if (!isBehind(limit)) {
            return;
        }
        counters.compactionStalls.begin();
        long deadline = StallClock.nanos() + DEBT_WAIT_NANOS;
        while (compactions.isRunning() && isBehind(limit)) {
            boolean bounded = longestRunSet() <= MAX_DEBT * limit;
            long left = bounded ? deadline - StallClock.nanos() : Long.MAX_VALUE;
            if (!compactions.awaitOne(left)) {
                break;
            }
        }
        counters.compactionStalls.end();
    }

    private boolean isBehind(int limit) {
        return longestRunSet() > limit || compactions.isFarBehind();
    }

    private int longestRunSet() {
        int longest = 0;
        for (TableRuns table : runs.values()) {
            longest = Math.max(longest, table.current().size());
        }
        return longest;
    }

    /** Evicts clean entries, from every table in proportion to what it could give. */
    void evict(long wantedBytes) {
        beginEviction();
        long evictable = 1;
        for (TieredTable<?, ?> table : tables.values()) {
            evictable += table.evictableBytes();
        }
        for (TieredTable<?, ?> table : tables.values()) {
            double share = (double) table.evictableBytes() / evictable;
            if (share > 0) {
                counters.evictedBytes += table.evict((long) Math.ceil(wantedBytes * share));
            }
        }
    }

    private void beginEviction() {
        openMapIterators.forEach(MapIterator::beforeEviction);
        openMapIterators.clear();
        evictions++;
    }

    /** Evicts whatever is clean of one table. */
    void evictAll(TieredTable<?, ?> table) {
        beginEviction();
        counters.evictedBytes += table.evict(Long.MAX_VALUE);
    }

    /** Returns how often entries were evicted. */
    long evictions() {
        return evictions;
    }

    private long currentEpochBytes() {
        long bytes = 0;
        for (TieredTable<?, ?> table : tables.values()) {
            bytes += table.currentEpochBytes();
        }
        return bytes;
    }

    long inFlightBytes() {
        return flushes.inFlightBytes();
    }

    int flushesInFlight() {
        return flushes.size();
    }

    Collection<TieredTable<?, ?>> tables() {
        return tables.values();
    }

    Collection<TableRuns> allRuns() {
        return runs.values();
    }
}
