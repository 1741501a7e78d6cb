/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.io;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;

/** A {@link StorageDirectory} on a local file system. */
public final class LocalStorageDirectory implements StorageDirectory {

    private final Path root;
    private volatile boolean closed;

    private LocalStorageDirectory(Path root) {
        this.root = root;
    }

    /**
     * Makes a directory, with its missing parents, and opens it.
     *
     * @throws IOException when it exists with anything in it, or cannot be made
     */
    public static LocalStorageDirectory create(Path root) throws IOException {
        try {
            Files.createDirectories(root);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(root + ": is not a directory", e);
        } catch (IOException e) {
            throw named("cannot make directory", root, e);
        }
        try (Stream<Path> entries = Files.list(root)) {
            if (entries.findAny().isPresent()) {
                throw new IOException(root + ": scratch directory is not empty");
            }
        }
        return new LocalStorageDirectory(root);
    }

    @Override
    public StorageOutput create(String name) throws IOException {
        Path file = openPath(name);
        try {
            Files.createFile(file);
            return new LocalStorageOutput(file);
        } catch (IOException e) {
            throw named("cannot create", file, e);
        }
    }

    @Override
    public StorageInput open(String name) throws IOException {
        return new LocalStorageInput(openPath(name));
    }

    @Override
    public void delete(String name) throws IOException {
        if (closed) {
            return;
        }
        try {
            Files.delete(path(name));
        } catch (IOException e) {
            if (!closed) {
                throw named("cannot delete", path(name), e);
            }
        }
    }

    @Override
    public List<String> list() throws IOException {
        try (Stream<Path> entries = Files.list(openPath("."))) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw named("cannot list", root, e);
        }
    }

    @Override
    public boolean exists(String name) {
        return Files.exists(path(name));
    }

    @Override
    public long sizeBytes(String name) throws IOException {
        Path file = openPath(name);
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw named("cannot tell the size of", file, e);
        }
    }

    @Override
    public long freeBytes() {
        return freeBytes(root);
    }

    @Override
    public Path path(String name) {
        return root.resolve(name);
    }

    @Override
    public void linkOut(String name, Path target) throws IOException {
        Path file = openPath(name);
        try {
            if (target.getParent() != null) {
                Files.createDirectories(target.getParent());
            }
        } catch (IOException e) {
            throw named("cannot make directory", target.getParent(), e);
        }
        link(file, target);
    }

    @Override
    public void linkIn(Path source, String name) throws IOException {
        link(source, openPath(name));
    }

    @Override
    public boolean tryLinkIn(Path source, String name) throws IOException {
        Path file = openPath(name);
        try {
            Files.createLink(file, source);
            return true;
        } catch (FileAlreadyExistsException e) {
            throw named("cannot link from " + source, file, e);
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** Deletes all files and the directory; closing again does nothing. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        deleteTree(root);
    }

    @Override
    public String toString() {
        return root.toString();
    }

    private Path openPath(String name) throws IOException {
        if (closed) {
            throw new IOException(path(name) + ": directory is closed");
        }
        return path(name);
    }

    private static void link(Path source, Path target) throws IOException {
        try {
            Files.createLink(target, source);
        } catch (FileAlreadyExistsException | NoSuchFileException e) {
            throw named("cannot link from " + source, target, e);
        } catch (IOException | UnsupportedOperationException e) {
            copy(source, target);
        }
    }

    private static void copy(Path source, Path target) throws IOException {
        try {
            Files.copy(source, target);
        } catch (IOException e) {
            throw named("cannot copy from " + source, target, e);
        }
    }

    private static void deleteTree(Path root) throws IOException {
        try {
            Files.walkFileTree(
                    root,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                                throws IOException {
                            Files.deleteIfExists(file);
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFileFailed(Path file, IOException failure)
                                throws IOException {
                            if (failure instanceof NoSuchFileException) {
                                return FileVisitResult.CONTINUE;
                            }
                            throw failure;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(Path directory, IOException e)
                                throws IOException {
                            if (e != null) {
                                throw e;
                            }
                            Files.deleteIfExists(directory);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw named("cannot delete directory", root, e);
        }
    }

    /** Makes an exception that says what failed on which file, of a kind callers can tell. */
    static IOException named(String action, Path file, IOException cause) {
        String message = file + ": " + action + ": " + cause;
        IOException named;
        if (cause instanceof NoSuchFileException || cause instanceof FileNotFoundException) {
            named = new FileNotFoundException(message);
        } else if (isDiskFull(cause)) {
            return new DiskFullException(action, file, freeBytes(file.getParent()), cause);
        } else {
            named = new IOException(message);
        }
        named.initCause(cause);
        return named;
    }

    /** Java has no type for it, only the words of the operating system. */
    private static boolean isDiskFull(IOException cause) {
        String message = String.valueOf(cause.getMessage());
        return message.contains("No space left on device")
                || message.contains("Disk quota exceeded")
                || message.contains("not enough space on the disk");
    }

    /** Returns the bytes that this process may still write to a directory, -1 if not known. */
    static long freeBytes(Path directory) {
        try {
            return Files.getFileStore(directory).getUsableSpace();
        } catch (IOException e) {
            return -1;
        }
    }
}
