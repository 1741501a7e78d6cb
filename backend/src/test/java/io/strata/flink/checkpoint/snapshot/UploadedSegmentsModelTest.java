/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.checkpoint.files.RemoteFile;
import io.strata.flink.checkpoint.files.RemoteSegment;
import io.strata.flink.format.segment.SegmentId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.runtime.state.PlaceholderStreamStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.junit.jupiter.api.Test;

/**
 * Plays a task against a model of the job manager: random orders of begun, finished, completed,
 * aborted checkpoints and lost or late notifications. A checkpoint that completes must never refer
 * to a file that the job manager has deleted.
 *
 * <p>Replay with {@code -Dstrata.test.seed=<seed>}, more cases with {@code -Dstrata.test.cases}.
 */
class UploadedSegmentsModelTest {

    private static final int STEPS = 200;

    @Test
    void neverRefersToAFileThatIsGone() {
        Long replayed = Long.getLong("strata.test.seed");
        int cases = replayed != null ? 1 : Integer.getInteger("strata.test.cases", 500);
        int reused = 0;
        for (int i = 0; i < cases; i++) {
            long seed = replayed != null ? replayed : 1_000L + i;
            try {
                reused += new Game(seed).play();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(reused).as("files referred to in all games").isPositive();
    }

    private static final class Game {
        private final Random random;
        private final UploadedSegments uploaded = new UploadedSegments();

        /** What the task's store holds; a segment that leaves never comes back. */
        private final Set<Integer> live = new HashSet<>();

        private final Map<Long, Running> running = new TreeMap<>();
        private final List<Runnable> notifications = new ArrayList<>();

        /** Files that the job manager knows, with the last completed checkpoint that used each. */
        private final Map<String, Long> known = new HashMap<>();

        private long lastCompleted = -1;
        private long nextCheckpoint = 1;
        private int nextSegment;
        private int nextFile;
        private int reused;

        private record Running(Set<Integer> segments, Map<Integer, RemoteFile> reusable) {}

        Game(long seed) {
            random = new Random(seed);
        }

        int play() {
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(7)) {
                    case 0 -> live.add(nextSegment++);
                    case 1 -> live.removeIf(segment -> random.nextInt(4) == 0);
                    case 2, 3 -> begin();
                    case 4 -> finish();
                    case 5 -> notifyOne();
                    default -> abort();
                }
            }
            return reused;
        }

        private void begin() {
            if (running.size() < 3) {
                long id = nextCheckpoint++;
                boolean full = random.nextInt(10) == 0;
                running.put(id, new Running(Set.copyOf(live), uploaded.begin(id, h -> !full)));
            }
        }

        /** One running checkpoint, in any order, uploads, and completes unless a newer one did. */
        private void finish() {
            if (running.isEmpty()) {
                return;
            }
            long id = anyRunning();
            Running checkpoint = running.remove(id);
            Map<Integer, RemoteFile> files = new HashMap<>();
            for (int segment : checkpoint.segments()) {
                RemoteFile known = checkpoint.reusable().get(segment);
                files.put(segment, known != null ? known : newFile());
            }
            uploaded.uploaded(id, files);
            if (id > lastCompleted) {
                complete(id, files);
            } else {
                notifications.add(() -> uploaded.aborted(id));
            }
        }

        private void complete(long id, Map<Integer, RemoteFile> files) {
            for (RemoteFile file : files.values()) {
                String name = name(file);
                if (file.handle() instanceof PlaceholderStreamStateHandle) {
                    reused++;
                    assertThat(known)
                            .as("files known when checkpoint %d completes", id)
                            .containsKey(name);
                }
                known.put(name, id);
            }
            lastCompleted = id;
            known.values().removeIf(lastUse -> lastUse < id);
            // A newer completion aborts what is older and still runs.
            running.keySet().removeIf(older -> older < id);
            if (random.nextInt(4) != 0) {
                notifications.add(() -> uploaded.completed(id));
            }
        }

        private void abort() {
            if (!running.isEmpty() && random.nextInt(3) == 0) {
                long id = anyRunning();
                running.remove(id);
                if (random.nextBoolean()) {
                    notifications.add(() -> uploaded.aborted(id));
                }
            }
        }

        private void notifyOne() {
            if (!notifications.isEmpty()) {
                notifications.remove(0).run();
            }
        }

        private long anyRunning() {
            List<Long> ids = List.copyOf(running.keySet());
            return ids.get(random.nextInt(ids.size()));
        }

        private RemoteFile newFile() {
            return new RemoteFile(
                    RemoteSegment.whole(new SegmentId(1, 2), 100),
                    new ByteStreamStateHandle("file-" + nextFile++, new byte[1]));
        }

        private static String name(RemoteFile file) {
            return file.handle().getStreamStateHandleID().getKeyString();
        }
    }
}
