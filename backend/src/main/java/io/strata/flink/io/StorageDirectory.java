/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A flat directory of scratch files: each is written once, from one thread, and then read from any.
 *
 * <p>Thread-safe. Names are plain file names. Closing deletes the files and the directory (I10);
 * after that {@link #delete} does nothing, inputs that are still open may fail, and everything else
 * throws. Every IOException names the file, and is a {@link DiskFullException} where that is the
 * cause.
 */
public interface StorageDirectory extends Closeable {

    /**
     * Creates a file and opens it for writing.
     *
     * @throws IOException when it exists or cannot be created
     */
    StorageOutput create(String name) throws IOException;

    /**
     * Opens a file for positional reading.
     *
     * @throws IOException when it is missing or cannot be opened
     */
    StorageInput open(String name) throws IOException;

    /**
     * Deletes a file; inputs that have it open keep reading it.
     *
     * @throws IOException when it is missing or cannot be deleted
     */
    void delete(String name) throws IOException;

    /** Returns the names of all files, sorted. */
    List<String> list() throws IOException;

    /** Returns true when the file exists. */
    boolean exists(String name);

    /**
     * Returns the length of a file.
     *
     * @throws IOException when it is missing
     */
    long sizeBytes(String name) throws IOException;

    /** Returns the bytes that may still be written to files here, -1 if that is not known. */
    long freeBytes();

    /** Returns where the file is or would be, for those who hand it to Flink's uploader. */
    Path path(String name);

    /**
     * Gives the file a second name outside this directory, by a hard link, or by a copy where links
     * are not possible. Missing parent directories of {@code target} are made.
     *
     * @throws IOException when the target exists or cannot be made
     */
    void linkOut(String name, Path target) throws IOException;

    /**
     * Gives a file outside this directory a name in it, by a hard link, or by a copy where links
     * are not possible.
     *
     * @throws IOException when the name exists or the file cannot be linked
     */
    void linkIn(Path source, String name) throws IOException;

    /**
     * Gives a file outside this directory a name in it, by a hard link, if that is possible.
     *
     * @return false when there is no link: the source is missing, on another file system, or one
     *     that this process may not link to
     * @throws IOException when the name exists
     */
    boolean tryLinkIn(Path source, String name) throws IOException;
}
