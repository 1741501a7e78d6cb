/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static org.apache.flink.configuration.ConfigOptions.key;

import io.strata.flink.format.segment.PageCompression;
import io.strata.flink.savepoint.SavepointImport;
import java.util.List;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.FallbackKey;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.StateChangelogOptions;

/**
 * The options of Strata, all under {@link #PREFIX}.
 *
 * <p>{@link StrataSettings} reads and validates them. The names, the defaults and the descriptions
 * here are what the reference page is generated from.
 */
public final class StrataOptions {

    /**
     * What the keys of all options start with. A key that starts so and is not listed is refused.
     */
    public static final String PREFIX = "state.backend.strata.";

    public static final ConfigOption<MemorySize> HOT_SIZE =
            key(PREFIX + "hot.size")
                    .memoryType()
                    .noDefaultValue()
                    .withDescription(
                            "Heap that the live objects of the hot tier may take in one TaskManager"
                                    + " process, shared by all its keyed state. At least 64 kb,"
                                    + " which every keyed backend may take in any case."
                                    + " When it is not set, hot.fraction decides. Only one of the"
                                    + " two may be set. Jobs in one process with different sizes:"
                                    + " the largest is what all may take, and each job stays within"
                                    + " its own. Lowered for a while when the heap is nearly"
                                    + " full.");

    public static final ConfigOption<Double> HOT_FRACTION =
            key(PREFIX + "hot.fraction")
                    .doubleType()
                    .defaultValue(0.4)
                    .withDescription(
                            "Part of the maximum heap of the TaskManager process that the live"
                                    + " objects of the hot tier may take, between 0.01 and 0.9."
                                    + " Used when hot.size is not set.");

    public static final ConfigOption<String> LOCAL_DIRECTORIES =
            key(PREFIX + "local-directories")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Directories on local disks for the cold tier, separated by a comma or"
                                    + " by the path separator of the platform. Each keyed backend"
                                    + " spreads its files over them by free space."
                                    + " They hold scratch data only: nothing in"
                                    + " them is needed after a crash. The default is the"
                                    + " TaskManager's temporary directory.");

    public static final ConfigOption<MemorySize> PAGE_SIZE =
            key(PREFIX + "page-size")
                    .memoryType()
                    .defaultValue(MemorySize.parse("4kb"))
                    .withDescription(
                            "Unit of reading and caching in the cold tier: a power of two between"
                                    + " 1 kb and 32 kb.");

    public static final ConfigOption<PageCompression> COMPRESSION =
            key(PREFIX + "compression")
                    .enumType(PageCompression.class)
                    .defaultValue(PageCompression.LZ4)
                    .withDescription(
                            "How the pages of the cold tier are stored, and with them checkpoints."
                                    + " lz4: each compressed, unless that does not make it"
                                    + " shorter. none: as they are. The page cache holds pages"
                                    + " decompressed.");

    public static final ConfigOption<Integer> FILTER_BITS =
            key(PREFIX + "filter.bits-per-record")
                    .intType()
                    .defaultValue(10)
                    .withDescription(
                            "Bits that the Bloom filters of the cold tier spend on one record,"
                                    + " between 4 and 32. More bits save reads for absent keys.");

    public static final ConfigOption<Integer> BACKGROUND_THREADS =
            key(PREFIX + "background-threads")
                    .intType()
                    .defaultValue(2)
                    .withDescription(
                            "Threads that flush and compact, shared by all keyed backends of one"
                                    + " TaskManager process, between 2 and 64: half of them"
                                    + " flush, half of them compact.");

    public static final ConfigOption<MemorySize> COMPACTION_BANDWIDTH =
            key(PREFIX + "compaction.bandwidth")
                    .memoryType()
                    .noDefaultValue()
                    .withDescription(
                            "Bytes that compaction may read and write in a second, for all keyed"
                                    + " backends of one TaskManager process together. At least 1"
                                    + " mb. Without it there is no limit. While a state has more"
                                    + " than 16 runs, its backend's compaction is not held to"
                                    + " it.");

    public static final ConfigOption<Integer> TRANSFER_THREADS =
            key(PREFIX + "transfer-threads")
                    .intType()
                    .defaultValue(4)
                    .withDescription(
                            "Threads with which one keyed backend uploads segments in a checkpoint"
                                    + " and downloads them in a restore, between 1 and 64.");

    public static final ConfigOption<TimerStorage> TIMERS =
            key(PREFIX + "timers")
                    .enumType(TimerStorage.class)
                    .defaultValue(TimerStorage.HEAP)
                    .withDescription(
                            "Where timers are kept. heap: on the heap, part of every checkpoint."
                                    + " tiered: not available yet.");

    public static final ConfigOption<TtlTimeCharacteristic> TTL_TIME_CHARACTERISTIC =
            key(PREFIX + "ttl.time-characteristic")
                    .enumType(TtlTimeCharacteristic.class)
                    .defaultValue(TtlTimeCharacteristic.PROCESSING_TIME)
                    .withDescription(
                            "By which time state with a time to live expires. processing-time: the"
                                    + " time of the machine. event-time: the event time that the"
                                    + " job tells with EventTimeTtl; until it is first told,"
                                    + " nothing expires. Not together with Flink's"
                                    + " state.changelog.enabled.");

    public static final ConfigOption<Boolean> RESTORE_LINKS =
            key(PREFIX + "restore.links")
                    .booleanType()
                    .defaultValue(true)
                    .withDescription(
                            "Whether a restore links to the files of a checkpoint that is on the"
                                    + " file system of the local directories, instead of copying"
                                    + " them. They are read and verified either way. Switch it off"
                                    + " if something other than Flink may overwrite the files of"
                                    + " checkpoints in place.");

    public static final ConfigOption<String> DROP_STATES =
            key(PREFIX + "drop-states")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Names of keyed states, separated by commas, that are dropped when a"
                                    + " checkpoint or savepoint is restored. Without it, states that"
                                    + " the job no longer has are carried along for ever. A state that"
                                    + " the job has may not be named.");

    public static final ConfigOption<Integer> DEBUG_FLUSH_EVERY_OPERATIONS =
            key(PREFIX + "debug.flush-every-operations")
                    .intType()
                    .defaultValue(0)
                    .withDescription(
                            "For tests: seal and flush after so many record boundaries, whatever"
                                    + " the budget says. 0 turns it off.");

    public static final ConfigOption<Boolean> DEBUG_EVICT_ALL =
            key(PREFIX + "debug.evict-all")
                    .booleanType()
                    .defaultValue(false)
                    .withDescription(
                            "For tests: evict every clean entry at once, so that everything is"
                                    + " read from the cold tier.");

    public static final ConfigOption<Boolean> DEBUG_COMPACT_EVERY_FLUSH =
            key(PREFIX + "debug.compact-every-flush")
                    .booleanType()
                    .defaultValue(false)
                    .withDescription("For tests: merge all runs of a state after every flush.");

    public static final ConfigOption<Integer> DEBUG_SAVEPOINT_SORT_BYTES =
            key(PREFIX + "debug.savepoint-sort-bytes")
                    .intType()
                    .defaultValue(SavepointImport.SORT_BYTES)
                    .withDescription(
                            "For tests: memory for the records that are sorted at a time when a"
                                    + " canonical savepoint is restored, at most the default of"
                                    + " 32 MiB.");

    public static final ConfigOption<Integer> DEBUG_ESTIMATE_DIVISOR =
            key(PREFIX + "debug.estimate-divisor")
                    .intType()
                    .defaultValue(1)
                    .withDescription(
                            "For tests: how many times too small the sizes of values in the hot"
                                    + " tier are estimated.");

    private static final List<ConfigOption<?>> ALL =
            List.of(
                    HOT_SIZE,
                    HOT_FRACTION,
                    LOCAL_DIRECTORIES,
                    PAGE_SIZE,
                    COMPRESSION,
                    FILTER_BITS,
                    BACKGROUND_THREADS,
                    COMPACTION_BANDWIDTH,
                    TRANSFER_THREADS,
                    TIMERS,
                    TTL_TIME_CHARACTERISTIC,
                    RESTORE_LINKS,
                    DROP_STATES,
                    DEBUG_FLUSH_EVERY_OPERATIONS,
                    DEBUG_EVICT_ALL,
                    DEBUG_COMPACT_EVERY_FLUSH,
                    DEBUG_SAVEPOINT_SORT_BYTES,
                    DEBUG_ESTIMATE_DIVISOR);

    private StrataOptions() {}

    /** Returns every option there is, in the order in which the reference page shows them. */
    public static List<ConfigOption<?>> all() {
        return ALL;
    }

    /** Tells whether a key of Flink's configuration is one that Strata reads. */
    static boolean isRead(String key) {
        ConfigOption<Boolean> incremental = CheckpointingOptions.INCREMENTAL_CHECKPOINTS;
        if (key.startsWith(PREFIX)
                || key.equals(incremental.key())
                || key.equals(StateChangelogOptions.ENABLE_STATE_CHANGE_LOG.key())) {
            return true;
        }
        for (FallbackKey older : incremental.fallbackKeys()) {
            if (key.equals(older.getKey())) {
                return true;
            }
        }
        return false;
    }
}
