/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.segment;

/**
 * Layout of the footer: the directory of the runs, each followed by the directory of its key
 * groups.
 *
 * <pre>
 *   footer     +---------------+---------------+
 *              | runs          | zero          |
 *              +---------------+---------------+ 8     then each run, without gaps
 *
 *   run         0               4               8              12              16
 *              +---------------+---------------+---------------+---------------+
 *              | name bytes    | flags         | schema id                     |
 *              +---------------+---------------+---------------+---------------+ 16
 *              | data offset                   | key groups    | zero          |
 *              +---------------+---------------+---------------+---------------+ 32
 *              | name, UTF-8   ...             |   then each key group, ascending
 *              +---------------+---------------+
 *
 *   key group   0               4               8              12              16
 *              +---------------+---------------+---------------+---------------+
 *              | key group     | filter blocks | data bytes                    |
 *              +---------------+---------------+---------------+---------------+ 16
 *              | records                       | tombstones                    |
 *              +---------------+---------------+---------------+---------------+ 32
 *              | smallest TTL timestamp        | largest TTL timestamp         |
 *              +---------------+---------------+---------------+---------------+ 48
 *              | pages         | data checksum | index check.  | filter check. |
 *              +---------------+---------------+---------------+---------------+ 64
 * </pre>
 *
 * <p>Offsets of a key group's data, index and filter are not stored: each area of a run is its key
 * groups one after another, and the three areas follow each other.
 */
public final class FooterDescriptor {

    public static final int RUNS_OFFSET = 0;
    public static final int FOOTER_HEADER_BYTES = 8;

    public static final int RUN_NAME_BYTES_OFFSET = 0;
    public static final int RUN_FLAGS_OFFSET = 4;
    public static final int RUN_SCHEMA_ID_OFFSET = 8;
    public static final int RUN_DATA_OFFSET_OFFSET = 16;
    public static final int RUN_KEY_GROUPS_OFFSET = 24;
    public static final int RUN_NAME_OFFSET = 32;
    public static final int RUN_HEADER_BYTES = RUN_NAME_OFFSET;

    /** Flag of a run whose order keys begin with a group hash. */
    public static final int RUN_FLAG_GROUPED = 1;

    public static final int GROUP_KEY_GROUP_OFFSET = 0;
    public static final int GROUP_FILTER_BLOCKS_OFFSET = 4;
    public static final int GROUP_DATA_BYTES_OFFSET = 8;
    public static final int GROUP_RECORDS_OFFSET = 16;
    public static final int GROUP_TOMBSTONES_OFFSET = 24;
    public static final int GROUP_MIN_TTL_OFFSET = 32;
    public static final int GROUP_MAX_TTL_OFFSET = 40;
    public static final int GROUP_PAGES_OFFSET = 48;
    public static final int GROUP_DATA_CHECKSUM_OFFSET = 52;
    public static final int GROUP_INDEX_CHECKSUM_OFFSET = 56;
    public static final int GROUP_FILTER_CHECKSUM_OFFSET = 60;
    public static final int GROUP_BYTES = 64;

    private FooterDescriptor() {}
}
