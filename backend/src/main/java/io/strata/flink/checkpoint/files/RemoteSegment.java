/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.files;

import io.strata.flink.format.segment.KeyGroupSpan;
import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.segment.SegmentLayout.ByteRange;
import java.util.List;

/**
 * What a checkpoint holds of one segment: the whole file, or the parts that a rescaled task had.
 *
 * @param id the segment's identity
 * @param fileBytes the length of the whole segment, uploaded or not
 * @param present the key groups whose ranges were uploaded; {@link KeyGroupSpan#ALL} for a whole
 *     file
 * @param extents the uploaded ranges of the segment, ascending; in the uploaded file they lie one
 *     after another
 */
public record RemoteSegment(
        SegmentId id, long fileBytes, KeyGroupSpan present, List<ByteRange> extents) {

    public RemoteSegment {
        extents = List.copyOf(extents);
    }

    /** Returns a segment that was uploaded from its first byte to its last. */
    public static RemoteSegment whole(SegmentId id, long fileBytes) {
        return new RemoteSegment(
                id, fileBytes, KeyGroupSpan.ALL, List.of(new ByteRange(0, fileBytes)));
    }

    /** Tells whether the uploaded file is the segment from its first byte to its last. */
    public boolean isWhole() {
        return extents.equals(List.of(new ByteRange(0, fileBytes)));
    }

    /**
     * Returns the name by which a handle knows the file of the segment.
     *
     * @param index the position of the segment in the metadata, since a handle may have two parts
     *     of one segment
     */
    public String localPath(int index) {
        return index + "-" + id.fileName();
    }

    /** Returns the length of the uploaded file. */
    long uploadedBytes() {
        return extents.stream().mapToLong(ByteRange::length).sum();
    }

    /**
     * Returns where a range of the segment begins in the uploaded file, or -1 when not all of the
     * range was uploaded.
     */
    public long locate(long position, long length) {
        long uploadedBefore = 0;
        for (ByteRange extent : extents) {
            if (position >= extent.offset() && position + length <= extent.end()) {
                return uploadedBefore + (position - extent.offset());
            }
            uploadedBefore += extent.length();
        }
        return -1;
    }
}
