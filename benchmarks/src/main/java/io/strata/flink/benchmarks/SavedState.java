/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.core.fs.local.LocalFileSystem;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.filesystem.FsCheckpointStreamFactory;
import org.apache.flink.util.FileUtils;
import org.apache.flink.util.InstantiationUtil;

/** The checkpoint of one task in a local directory, and the state that is in it. */
final class SavedState {

    /** Of so many keys, one is updated again. */
    private static final int KEYS_PER_UPDATE = 2;

    private static final int FILE_THRESHOLD_BYTES = 20 << 10;
    private static final int WRITE_BUFFER_BYTES = 4 << 10;
    private static final int READ_BUFFER_BYTES = 1 << 20;
    private static final String HANDLE = "handle";

    private final MeasuredBackend backend;
    private final StatePart part;
    private final Path directory;

    SavedState(MeasuredBackend backend, StatePart part, Path root) {
        this.backend = backend;
        this.part = part;
        this.directory = root.resolve(backend.label()).resolve(part.label());
    }

    /**
     * Fills a backend and takes an incremental checkpoint. Each key is written once, every second
     * one again, in random order: so there are several levels, and something outdated in them.
     */
    void write(WorkloadOptions options, Map<String, String> flinkOptions) throws Exception {
        Path local = Files.createDirectories(directory.resolve("local"));
        try (BackendSession session =
                new BackendSession(
                        backend, options, local, flinkOptions, part.keyGroups(), List.of())) {
            ValueState<byte[]> state = session.state(RestoreWorker.STATE);
            RandomBytes random = new RandomBytes(options.valueBytes());
            for (long number = 0; number < options.keys(); number++) {
                update(session, state, RandomBytes.key(number), random);
            }
            for (long update = 0; update < options.keys() / KEYS_PER_UPDATE; update++) {
                update(session, state, random.nextKey(options.keys()), random);
            }
            Files.write(
                    directory.resolve(HANDLE),
                    InstantiationUtil.serializeObject(session.snapshot(streams())));
        }
        FileUtils.deleteDirectory(local.toFile());
    }

    private void update(
            BackendSession session, ValueState<byte[]> state, long key, RandomBytes random)
            throws Exception {
        if (part.has(key)) {
            session.beginRecord(key);
            state.update(random.next());
        }
    }

    private FsCheckpointStreamFactory streams() throws IOException {
        return new FsCheckpointStreamFactory(
                LocalFileSystem.getSharedInstance(),
                flinkPath(Files.createDirectories(directory.resolve("exclusive"))),
                flinkPath(Files.createDirectories(directory.resolve("shared"))),
                FILE_THRESHOLD_BYTES,
                WRITE_BUFFER_BYTES);
    }

    private static org.apache.flink.core.fs.Path flinkPath(Path path) {
        return new org.apache.flink.core.fs.Path(path.toUri());
    }

    /** Returns what the backend is restored from. */
    KeyedStateHandle handle() throws IOException, ClassNotFoundException {
        return InstantiationUtil.deserializeObject(
                Files.readAllBytes(directory.resolve(HANDLE)), SavedState.class.getClassLoader());
    }

    /** Reads all files once, so that each restore finds them in the kernel's cache alike. */
    void warm() throws IOException {
        byte[] buffer = new byte[READ_BUFFER_BYTES];
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                try (InputStream in = Files.newInputStream(file)) {
                    int read = in.read(buffer);
                    while (read >= 0) {
                        read = in.read(buffer);
                    }
                }
            }
        }
    }
}
