/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.io;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Several directories that look like one: each new file goes to the one with the most free space,
 * and among those with about as much to the one that holds least of this directory's files.
 */
public final class SpreadStorageDirectory implements StorageDirectory {

    /** Free space that differs by less than this part counts as the same. */
    private static final int SAME_PART = 16;

    private final List<Part> parts = new ArrayList<>();
    private final Map<String, Part> places = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** One of the directories, and how many bytes were written to files that are in it. */
    private static final class Part {

        private final StorageDirectory directory;
        private final AtomicLong bytes = new AtomicLong();
        private final Map<String, Long> byName = new ConcurrentHashMap<>();

        Part(StorageDirectory directory) {
            this.directory = directory;
        }

        void grown(String name, long by) {
            bytes.addAndGet(by);
            byName.merge(name, by, Long::sum);
        }

        void gone(String name) {
            Long size = byName.remove(name);
            bytes.addAndGet(size == null ? 0 : -size);
        }
    }

    /**
     * Takes over some directories.
     *
     * @param directories at least one; who has no reason to prefer another gets the first
     */
    public SpreadStorageDirectory(List<StorageDirectory> directories) {
        directories.forEach(directory -> parts.add(new Part(directory)));
    }

    @Override
    public StorageOutput create(String name) throws IOException {
        Part part = reserve(name, roomiest());
        try {
            return new CountedOutput(part, part.directory.create(name));
        } catch (IOException | RuntimeException e) {
            places.remove(name, part);
            throw e;
        }
    }

    @Override
    public StorageInput open(String name) throws IOException {
        return existing(name).directory.open(name);
    }

    @Override
    public void delete(String name) throws IOException {
        if (closed) {
            return;
        }
        Part part = existing(name);
        part.directory.delete(name);
        part.gone(name);
        places.remove(name);
    }

    @Override
    public List<String> list() throws IOException {
        List<String> names = new ArrayList<>();
        for (Part part : parts) {
            names.addAll(part.directory.list());
        }
        names.sort(null);
        return names;
    }

    @Override
    public boolean exists(String name) {
        return place(name).directory.exists(name);
    }

    @Override
    public long sizeBytes(String name) throws IOException {
        return existing(name).directory.sizeBytes(name);
    }

    @Override
    public long freeBytes() {
        return roomiest().directory.freeBytes();
    }

    @Override
    public Path path(String name) {
        return place(name).directory.path(name);
    }

    @Override
    public void linkOut(String name, Path target) throws IOException {
        existing(name).directory.linkOut(name, target);
    }

    /** A copy goes where there is most room; a link goes where the source is. */
    @Override
    public void linkIn(Path source, String name) throws IOException {
        if (tryLinkIn(source, name)) {
            return;
        }
        Part part = reserve(name, roomiest());
        try {
            part.directory.linkIn(source, name);
            part.grown(name, part.directory.sizeBytes(name));
        } catch (IOException | RuntimeException e) {
            places.remove(name, part);
            throw e;
        }
    }

    @Override
    public boolean tryLinkIn(Path source, String name) throws IOException {
        for (Part part : parts) {
            reserve(name, part);
            boolean linked = false;
            try {
                linked = part.directory.tryLinkIn(source, name);
            } finally {
                if (!linked) {
                    places.remove(name, part);
                }
            }
            if (linked) {
                return true;
            }
        }
        return false;
    }

    /** Closes all, whatever some of them throw. */
    @Override
    public void close() throws IOException {
        closed = true;
        IOException failure = null;
        for (Part part : parts) {
            failure = closed(part.directory, failure);
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static IOException closed(Closeable closeable, IOException before) {
        try {
            closeable.close();
            return before;
        } catch (IOException e) {
            if (before == null) {
                return e;
            }
            before.addSuppressed(e);
            return before;
        }
    }

    @Override
    public String toString() {
        return parts.stream().map(part -> part.directory.toString()).toList().toString();
    }

    private Part roomiest() {
        if (closed) {
            return parts.get(0); // which will say so
        }
        long[] free = new long[parts.size()];
        long most = -1;
        for (int i = 0; i < free.length; i++) {
            free[i] = parts.get(i).directory.freeBytes();
            most = Math.max(most, free[i]);
        }
        Part best = null;
        for (int i = 0; i < free.length; i++) {
            Part part = parts.get(i);
            boolean same = free[i] >= most - most / SAME_PART;
            if (same && (best == null || part.bytes.get() < best.bytes.get())) {
                best = part;
            }
        }
        return best;
    }

    private Part reserve(String name, Part part) throws IOException {
        Part before = places.putIfAbsent(name, part);
        if (before != null) {
            throw new FileAlreadyExistsException(before.directory.path(name) + ": exists");
        }
        return part;
    }

    private Part place(String name) {
        return places.getOrDefault(name, parts.get(0));
    }

    private Part existing(String name) throws IOException {
        Part part = places.get(name);
        if (part == null) {
            throw new FileNotFoundException(parts.get(0).directory.path(name) + ": no such file");
        }
        return part;
    }

    /** An output whose bytes count for its directory. */
    private static final class CountedOutput implements StorageOutput {

        private final Part part;
        private final StorageOutput output;

        CountedOutput(Part part, StorageOutput output) {
            this.part = part;
            this.output = output;
        }

        @Override
        public String name() {
            return output.name();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            output.write(bytes, offset, length);
            part.grown(name(), length);
        }

        @Override
        public void write(ByteBuffer source) throws IOException {
            int length = source.remaining();
            output.write(source);
            part.grown(name(), length);
        }

        @Override
        public void writeAt(long position, byte[] bytes, int offset, int length)
                throws IOException {
            output.writeAt(position, bytes, offset, length);
            part.grown(name(), length);
        }

        @Override
        public long position() {
            return output.position();
        }

        @Override
        public void close() throws IOException {
            output.close();
        }
    }
}
