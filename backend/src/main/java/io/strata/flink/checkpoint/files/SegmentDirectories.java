/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.files;

import io.strata.flink.format.segment.SegmentId;
import io.strata.flink.io.StorageDirectory;
import io.strata.flink.segment.Segment;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.util.IOUtils;

/**
 * The local directories of one backend: the one that its store writes to, and more only when a
 * restore brings several parts of one segment, which would have the same file name.
 *
 * <p>Places are given out by the thread that restores; {@link #of} is for any thread.
 */
public final class SegmentDirectories implements Closeable {

    /** Opens a further directory beside the first. */
    @FunctionalInterface
    public interface Factory {
        StorageDirectory open(int number) throws IOException;
    }

    private final List<StorageDirectory> directories = new ArrayList<>();
    private final List<List<SegmentId>> taken = new ArrayList<>();
    private final Map<Integer, StorageDirectory> bySerial = new ConcurrentHashMap<>();
    private final Factory factory;

    /** Opens the first directory. */
    public SegmentDirectories(Factory factory) throws IOException {
        this.factory = factory;
        add();
    }

    /** Returns the directory for all that is written from now on. */
    public StorageDirectory main() {
        return directories.get(0);
    }

    /** Returns a directory that has no file for the segment yet, and reserves the name. */
    public StorageDirectory placeFor(SegmentId id) throws IOException {
        for (int i = 0; ; i++) {
            if (i == directories.size()) {
                add();
            }
            if (!taken.get(i).contains(id)) {
                taken.get(i).add(id);
                return directories.get(i);
            }
        }
    }

    /** Remembers where a restored segment lies. */
    public void put(Segment segment, StorageDirectory directory) {
        if (directory != main()) {
            bySerial.put(segment.serial(), directory);
        }
    }

    /** Returns the directory that a segment's file is in. */
    public StorageDirectory of(Segment segment) {
        return bySerial.getOrDefault(segment.serial(), main());
    }

    private void add() throws IOException {
        directories.add(factory.open(directories.size()));
        taken.add(new ArrayList<>());
    }

    /** Deletes all directories with all that is in them (I10). */
    @Override
    public void close() throws IOException {
        try {
            IOUtils.closeAll(directories);
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("cannot delete the local directories", e);
        }
    }
}
