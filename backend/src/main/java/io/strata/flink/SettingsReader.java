/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink;

import static io.strata.flink.StrataOptions.PREFIX;

import io.strata.flink.savepoint.SavepointImport;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateChangelogOptions;

/** Reads {@link StrataSettings} and collects everything that is wrong before it complains. */
final class SettingsReader {

    private static final long MIN_HOT_BYTES = 64 << 10;
    private static final long MIN_PAGE_BYTES = 1 << 10;
    private static final long MAX_PAGE_BYTES = 32 << 10;
    private static final double MIN_HOT_FRACTION = 0.01;
    static final double MAX_HOT_FRACTION = 0.9;
    private static final int MIN_FILTER_BITS = 4;
    private static final int MAX_FILTER_BITS = 32;
    private static final long MIN_BANDWIDTH_BYTES = 1 << 20;
    private static final int MAX_THREADS = 64;

    private final ReadableConfig config;
    private final List<String> problems = new ArrayList<>();

    SettingsReader(ReadableConfig config) {
        this.config = config;
    }

    StrataSettings read() {
        refuseUnknownKeys();
        refuseBothHotOptions();
        StrataSettings settings =
                new StrataSettings(
                        hotBytes(),
                        hotFraction(),
                        localDirectories(),
                        pageBytes(),
                        value(StrataOptions.COMPRESSION),
                        number(StrataOptions.FILTER_BITS, MIN_FILTER_BITS, MAX_FILTER_BITS),
                        number(StrataOptions.BACKGROUND_THREADS, 2, MAX_THREADS),
                        compactionBytesPerSecond(),
                        number(StrataOptions.TRANSFER_THREADS, 1, MAX_THREADS),
                        timers(),
                        ttlTime(),
                        incremental(),
                        value(StrataOptions.RESTORE_LINKS),
                        dropStates(),
                        debug());
        if (!problems.isEmpty()) {
            throw new StrataConfigurationException(problems);
        }
        return settings;
    }

    private void refuseUnknownKeys() {
        List<String> known = StrataOptions.all().stream().map(ConfigOption::key).toList();
        for (String key : new TreeSet<>(config.toMap().keySet())) {
            if (key.startsWith(PREFIX) && !known.contains(key)) {
                problems.add(
                        "'%s' is not an option. The nearest known option is '%s'."
                                .formatted(key, NearestName.of(key, known)));
            }
        }
    }

    private void refuseBothHotOptions() {
        String size = config.toMap().get(StrataOptions.HOT_SIZE.key());
        String fraction = config.toMap().get(StrataOptions.HOT_FRACTION.key());
        if (size != null && fraction != null) {
            problems.add(
                    "'%s' is %s and '%s' is %s: both say how much heap the hot tier gets. Set one of them."
                            .formatted(
                                    StrataOptions.HOT_SIZE.key(),
                                    size,
                                    StrataOptions.HOT_FRACTION.key(),
                                    fraction));
        }
    }

    private Long hotBytes() {
        MemorySize size = value(StrataOptions.HOT_SIZE);
        if (size == null) {
            return null;
        }
        if (size.getBytes() < MIN_HOT_BYTES) {
            refuse(StrataOptions.HOT_SIZE, size, "at least 64 kb");
        }
        return size.getBytes();
    }

    private long compactionBytesPerSecond() {
        MemorySize size = value(StrataOptions.COMPACTION_BANDWIDTH);
        if (size == null) {
            return 0;
        }
        if (size.getBytes() < MIN_BANDWIDTH_BYTES) {
            refuse(StrataOptions.COMPACTION_BANDWIDTH, size, "at least 1 mb");
        }
        return size.getBytes();
    }

    private double hotFraction() {
        double fraction = value(StrataOptions.HOT_FRACTION);
        if (!(fraction >= MIN_HOT_FRACTION && fraction <= MAX_HOT_FRACTION)) {
            refuse(StrataOptions.HOT_FRACTION, fraction, "a number between 0.01 and 0.9");
        }
        return fraction;
    }

    private List<String> localDirectories() {
        String paths = value(StrataOptions.LOCAL_DIRECTORIES);
        if (paths == null) {
            return List.of();
        }
        List<String> directories =
                Arrays.stream(paths.split(",|" + File.pathSeparator))
                        .map(String::strip)
                        .filter(path -> !path.isEmpty())
                        .toList();
        if (directories.isEmpty() || directories.stream().anyMatch(SettingsReader::isRelative)) {
            refuse(StrataOptions.LOCAL_DIRECTORIES, paths, "one or more absolute local paths");
        }
        return directories;
    }

    private static boolean isRelative(String path) {
        return !new File(path).isAbsolute();
    }

    private int pageBytes() {
        MemorySize size = value(StrataOptions.PAGE_SIZE);
        long bytes = size.getBytes();
        if (bytes < MIN_PAGE_BYTES || bytes > MAX_PAGE_BYTES || Long.bitCount(bytes) != 1) {
            refuse(StrataOptions.PAGE_SIZE, size, "a power of two between 1 kb and 32 kb");
        }
        return (int) bytes;
    }

    private TimerStorage timers() {
        TimerStorage timers = value(StrataOptions.TIMERS);
        if (timers == TimerStorage.TIERED) {
            problems.add(
                    "'%s' is tiered, which is not available yet. Use heap."
                            .formatted(StrataOptions.TIMERS.key()));
        }
        return timers;
    }

    /** Under Flink's changelog, state with a time to live asks a clock that is not Strata's. */
    private TtlTimeCharacteristic ttlTime() {
        TtlTimeCharacteristic time = value(StrataOptions.TTL_TIME_CHARACTERISTIC);
        if (time == TtlTimeCharacteristic.EVENT_TIME
                && value(StateChangelogOptions.ENABLE_STATE_CHANGE_LOG)) {
            problems.add(
                    "'%s' is event-time and '%s' is true, which do not work together. Use one of them."
                            .formatted(
                                    StrataOptions.TTL_TIME_CHARACTERISTIC.key(),
                                    StateChangelogOptions.ENABLE_STATE_CHANGE_LOG.key()));
        }
        return time;
    }

    /**
     * Flink's default is false; whoever has not chosen that gets the checkpoints that cost less.
     */
    private List<String> dropStates() {
        String names = value(StrataOptions.DROP_STATES);
        if (names == null) {
            return List.of();
        }
        List<String> states = Arrays.stream(names.split(",", -1)).map(String::strip).toList();
        if (states.stream().anyMatch(String::isEmpty)) {
            refuse(StrataOptions.DROP_STATES, names, "names of states with commas between");
        }
        return states;
    }

    private boolean incremental() {
        return !isSet(CheckpointingOptions.INCREMENTAL_CHECKPOINTS)
                || value(CheckpointingOptions.INCREMENTAL_CHECKPOINTS);
    }

    private StrataSettings.Debug debug() {
        return new StrataSettings.Debug(
                number(StrataOptions.DEBUG_FLUSH_EVERY_OPERATIONS, 0, Integer.MAX_VALUE),
                value(StrataOptions.DEBUG_EVICT_ALL),
                value(StrataOptions.DEBUG_COMPACT_EVERY_FLUSH),
                number(StrataOptions.DEBUG_SAVEPOINT_SORT_BYTES, 1, SavepointImport.SORT_BYTES),
                number(StrataOptions.DEBUG_ESTIMATE_DIVISOR, 1, 1000));
    }

    private int number(ConfigOption<Integer> option, int least, int most) {
        int number = value(option);
        if (number < least || number > most) {
            String allowed =
                    most == Integer.MAX_VALUE
                            ? "%d or more".formatted(least)
                            : "a number between %d and %d".formatted(least, most);
            refuse(option, number, allowed);
        }
        return number;
    }

    /** Reads a value; one that does not parse is a problem like any other and reads as default. */
    private <T> T value(ConfigOption<T> option) {
        try {
            return config.get(option);
        } catch (IllegalArgumentException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            problems.add(
                    "'%s' is '%s', which cannot be read: %s"
                            .formatted(
                                    option.key(),
                                    config.toMap().get(option.key()),
                                    cause.getMessage()));
            return option.defaultValue();
        }
    }

    private boolean isSet(ConfigOption<?> option) {
        try {
            return config.getOptional(option).isPresent();
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    private void refuse(ConfigOption<?> option, Object value, String allowed) {
        problems.add("'%s' is %s; allowed is %s.".formatted(option.key(), value, allowed));
    }
}
