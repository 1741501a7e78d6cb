/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The segment format: this text is its specification, and the {@code *Descriptor} classes hold its
 * offsets.
 *
 * <h2>Conventions</h2>
 *
 * All integers are little-endian. A var-int is what {@link io.strata.flink.format.bytes.VarInts}
 * says. A checksum is a CRC32C. Bytes called zero are written as 0 and refused otherwise where they
 * are read. Order keys are compared as unsigned 64-bit numbers, keys byte by byte, unsigned.
 *
 * <h2>File</h2>
 *
 * <pre>
 *   header    40 bytes                  {@link io.strata.flink.format.segment.SegmentHeaderDescriptor}
 *   run 0     data area                 pages, key group after key group
 *             index area                {@link io.strata.flink.format.segment.IndexDescriptor}
 *             filter area               a Bloom filter for each key group
 *   run 1     data, index, filter area
 *   ...
 *   footer    run and key-group directories   {@link io.strata.flink.format.segment.FooterDescriptor}
 *   trailer   48 bytes                  {@link io.strata.flink.format.segment.SegmentTrailerDescriptor}
 * </pre>
 *
 * The areas follow each other without gaps; a reader refuses a footer whose lengths do not add up
 * to the file's. Header and trailer carry the format version and the segment's 128-bit identity,
 * which is also the file's name; a reader refuses a file of another identity. There may be no runs,
 * but a run has at least one key group, and a key group at least one record.
 *
 * <h2>Records</h2>
 *
 * A run holds the records of one state. They are ordered by key group, then order key, then key; no
 * two have the same key group, order key and key. Of one key, a PUT says its value, a DELETE that
 * it is absent, and an APPEND what follows the value that older records give it. The order key is a
 * function of the key (package {@code io.strata.flink.format.key}) and different keys may share it.
 * In a grouped run its upper 32 bits are the hash of the group, for map states (key, namespace).
 *
 * <h2>Pages</h2>
 *
 * {@link io.strata.flink.format.segment.PageDescriptor} draws them. They follow each other without
 * gaps, each at most as long as the header says of a full page. A writer begins a new page when the
 * next record does not fit. A record too large for any page begins its own page and goes on in
 * continuation pages, which hold nothing else; a reader skips them by the record's length.
 *
 * <p>Where the header says so, each page is stored as one LZ4 block, or as it is when the block
 * would not be shorter: {@link io.strata.flink.format.segment.PageCompression}. Lengths are then
 * those of decompressed pages, and the index has the stored lengths beside them. The checksum in a
 * page is of its decompressed bytes, the data checksum of a key group of the stored ones.
 *
 * <h2>Index and filters</h2>
 *
 * The index holds for each page the order key of its first record, for a continuation page that of
 * the record it continues, and the length of the page. Records with a page's first order key may
 * also stand at the end of the page before. {@link io.strata.flink.format.segment.FilterDescriptor}
 * draws the filters.
 *
 * <h2>Verification</h2>
 *
 * <ul>
 *   <li>At opening: magic, version, compression, identity and checksum of the header; magic,
 *       version, checksum and identity of the trailer; checksum and structure of the footer;
 *       checksums of index and filter of each key group that is present.
 *   <li>Whenever a page is read from the file: the checksum of the page, into which its offset
 *       enters.
 *   <li>After a download and at a scrub: the data checksum of each key group.
 * </ul>
 *
 * Every byte of a file is under one of these, so every altered bit is found, by the reader of that
 * part at the latest.
 *
 * <h2>Sparse files</h2>
 *
 * A task that owns a part of the key groups needs of a segment only header, footer, trailer, and of
 * each run three contiguous ranges: data, index and filters of these key groups. It keeps them at
 * their original offsets in a file of the original length; the rest is a hole that is never read.
 *
 * <h2>A worked example</h2>
 *
 * One page of 26 bytes with one record, an APPEND of ",9" to the key 03 "BOS", order key
 * 0xF000000000000003, at offset 0x63 of its file:
 *
 * <pre>
 *   63  04                        key bytes: 4
 *   64  0a                        value bytes 2 * 4 + kind 2 (APPEND)
 *   65  03 42 4f 53               key: key group 3, "BOS"
 *   69  2c 39                     value: ",9"
 *   6b  03 00 00 00 00 00 00 f0   table: order key of record 0
 *   73  00 00                     table: offset of record 0
 *   75  01 00                     records: 1
 *   77  00                        flags
 *   78  00                        zero
 *   79  0f 56 90 7e               CRC32C of the 22 bytes before, exclusive-or 0x63
 * </pre>
 *
 * It is a part of the golden file of version 2, {@code backend/src/test/resources/golden}, which
 * shows a whole segment in this way.
 */
package io.strata.flink.format.segment;
