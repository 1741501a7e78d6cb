/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import io.strata.flink.format.segment.PageCompression;
import java.io.Serializable;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;

/**
 * The validated values of all {@link StrataOptions}.
 *
 * @param hotBytes heap of the hot tier, or null when {@code hotFraction} decides
 * @param hotFraction part of the maximum heap for the hot tier
 * @param localDirectories paths for the cold tier; empty for the TaskManager's own directory
 * @param pageBytes size of a page
 * @param compression how pages are stored
 * @param filterBitsPerRecord bits of a filter for one record
 * @param backgroundThreads threads that flush and compact, in one process
 * @param compactionBytesPerSecond bytes that compaction may read and write, 0 for no limit
 * @param transferThreads threads that upload and download, in one backend
 * @param timers where timers are kept
 * @param ttlTime by which time state with a time to live expires
 * @param incremental whether checkpoints refer to files of earlier ones: Flink's {@code
 *     execution.checkpointing.incremental}, with true for unset
 * @param restoreLinks whether a restore may link to files of a checkpoint
 * @param dropStates names of restored states that are dropped
 * @param debug what only tests set
 */
public record StrataSettings(
        @Nullable Long hotBytes,
        double hotFraction,
        List<String> localDirectories,
        int pageBytes,
        PageCompression compression,
        int filterBitsPerRecord,
        int backgroundThreads,
        long compactionBytesPerSecond,
        int transferThreads,
        TimerStorage timers,
        TtlTimeCharacteristic ttlTime,
        boolean incremental,
        boolean restoreLinks,
        List<String> dropStates,
        Debug debug)
        implements Serializable {

    /**
     * The switches that only tests set.
     *
     * @param flushEveryOperations record boundaries between two flushes, 0 for off
     * @param evictAll whether clean entries leave the heap at once
     * @param compactEveryFlush whether every flush is followed by a full compaction
     * @param savepointSortBytes memory for the records of a canonical savepoint that are sorted at
     *     a time
     * @param estimateDivisor how many times too small the sizes of values are estimated
     */
    public record Debug(
            int flushEveryOperations,
            boolean evictAll,
            boolean compactEveryFlush,
            int savepointSortBytes,
            int estimateDivisor)
            implements Serializable {}

    /**
     * Reads and validates the options.
     *
     * @throws StrataConfigurationException if any key under {@link StrataOptions#PREFIX} is unknown
     *     or any value cannot be used; the message names all of them
     */
    public static StrataSettings from(ReadableConfig config) {
        return new SettingsReader(config).read();
    }

    /**
     * Returns the heap budget of a process: the size that is set, or the part of the heap.
     *
     * @throws StrataConfigurationException if the size leaves the process too little of its heap
     */
    public long hotBudgetBytes(long maxHeapBytes) {
        if (hotBytes == null) {
            return (long) (maxHeapBytes * hotFraction);
        }
        if (hotBytes > maxHeapBytes * SettingsReader.MAX_HOT_FRACTION) {
            throw new StrataConfigurationException(
                    List.of(
                            "'%s' is %s; allowed is at most %s of the maximum heap of this process, which is %s."
                                    .formatted(
                                            StrataOptions.HOT_SIZE.key(),
                                            new MemorySize(hotBytes).toHumanReadableString(),
                                            SettingsReader.MAX_HOT_FRACTION,
                                            new MemorySize(maxHeapBytes).toHumanReadableString())));
        }
        return hotBytes;
    }
}
