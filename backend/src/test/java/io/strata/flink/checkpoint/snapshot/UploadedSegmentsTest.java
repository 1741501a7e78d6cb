/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.checkpoint.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.checkpoint.files.RemoteFile;
import io.strata.flink.checkpoint.files.RemoteSegment;
import io.strata.flink.format.segment.SegmentId;
import java.util.Map;
import org.apache.flink.runtime.state.PlaceholderStreamStateHandle;
import org.apache.flink.runtime.state.memory.ByteStreamStateHandle;
import org.junit.jupiter.api.Test;

/** Orders of checkpoints, completions and aborts, and what may be referred to after them. */
class UploadedSegmentsTest {

    private final UploadedSegments uploaded = new UploadedSegments();

    @Test
    void refersToNothingBeforeTheFirstCompletion() {
        assertThat(begin(1)).isEmpty();
        uploaded.uploaded(1, Map.of(10, file("x")));

        assertThat(begin(2)).isEmpty();
    }

    @Test
    void refersToFilesOfTheLastCompletedCheckpointByPlaceholder() {
        complete(1, Map.of(10, file("x")));

        Map<Integer, RemoteFile> reusable = begin(2);

        assertThat(reusable).containsOnlyKeys(10);
        assertThat(reusable.get(10).handle()).isInstanceOf(PlaceholderStreamStateHandle.class);
        assertThat(reusable.get(10).isSameFile(file("x"))).isTrue();
    }

    @Test
    void goesOnReferringThroughAChainOfPlaceholders() {
        complete(1, Map.of(10, file("x")));
        complete(2, begin(2));

        assertThat(begin(3).get(10).isSameFile(file("x"))).isTrue();
    }

    @Test
    void asksTheTargetWhetherItAgrees() {
        complete(1, Map.of(10, file("x"), 11, file("y")));

        Map<Integer, RemoteFile> reusable =
                uploaded.begin(
                        2, handle -> handle.getStreamStateHandleID().getKeyString().equals("y"));

        assertThat(reusable).containsOnlyKeys(11);
    }

    @Test
    void avoidsAFileThatALaterCheckpointReplaced() {
        begin(1);
        begin(2);
        uploaded.uploaded(1, Map.of(10, file("x")));
        uploaded.uploaded(2, Map.of(10, file("y")));
        uploaded.completed(1);

        // If 2 is complete by now, the job manager has deleted x.
        assertThat(begin(3)).isEmpty();
    }

    @Test
    void avoidsAFileThatALaterCheckpointIsStillReplacing() {
        begin(1);
        begin(2);
        uploaded.uploaded(1, Map.of(10, file("x")));
        uploaded.completed(1);

        // 2 began before 1 was complete and uploads segment 10 a second time.
        assertThat(begin(3)).isEmpty();
    }

    @Test
    void refersAgainWhenTheReplacingCheckpointWasAborted() {
        begin(1);
        begin(2);
        uploaded.uploaded(1, Map.of(10, file("x")));
        uploaded.uploaded(2, Map.of(10, file("y")));
        uploaded.completed(1);
        uploaded.aborted(2);

        assertThat(begin(3).get(10).isSameFile(file("x"))).isTrue();
    }

    @Test
    void neverRefersToFilesOfAnAbortedCheckpoint() {
        begin(1);
        uploaded.uploaded(1, Map.of(10, file("x")));
        uploaded.aborted(1);
        uploaded.completed(1);

        assertThat(begin(2)).isEmpty();
    }

    @Test
    void keepsTheBaseWhenANewerCheckpointIsAborted() {
        complete(1, Map.of(10, file("x")));
        begin(2);
        uploaded.uploaded(2, Map.of(10, file("x"), 11, file("y")));
        uploaded.aborted(2);

        assertThat(begin(3)).containsOnlyKeys(10);
    }

    @Test
    void moreThanOneCheckpointMayReferToTheSameFileAtOnce() {
        complete(1, Map.of(10, file("x")));
        assertThat(begin(2)).containsOnlyKeys(10);
        assertThat(begin(3)).containsOnlyKeys(10);
    }

    @Test
    void ignoresALateCompletionOfAnOlderCheckpoint() {
        begin(1);
        uploaded.uploaded(1, Map.of(10, file("x")));
        complete(2, Map.of(11, file("y")));
        uploaded.completed(1);

        assertThat(begin(3)).containsOnlyKeys(11);
    }

    @Test
    void ignoresCompletionsOfSavepointsAndOfUnfinishedCheckpoints() {
        complete(1, Map.of(10, file("x")));
        begin(2);
        uploaded.completed(2);
        uploaded.completed(77);

        assertThat(begin(3)).containsOnlyKeys(10);
    }

    @Test
    void aFullCheckpointReplacesEverythingOnceItIsComplete() {
        uploaded.restored(5, Map.of(10, file("x")));
        uploaded.begin(6, handle -> false);
        assertThat(begin(7)).isEmpty();
        uploaded.aborted(7);

        uploaded.uploaded(6, Map.of(10, file("own")));
        uploaded.completed(6);

        assertThat(begin(8).get(10).isSameFile(file("own"))).isTrue();
    }

    @Test
    void refersToRestoredFilesAtOnce() {
        uploaded.restored(5, Map.of(10, file("x")));

        assertThat(begin(6)).containsOnlyKeys(10);
    }

    @Test
    void survivesCheckpointIdsThatAreUsedAgain() {
        uploaded.restored(5, Map.of(10, file("x")));
        assertThat(begin(5)).containsOnlyKeys(10);
        // Nobody said that the second checkpoint 5 is complete.
        assertThat(begin(5)).isEmpty();
        uploaded.uploaded(5, Map.of(10, file("y")));
        uploaded.completed(5);
        assertThat(begin(6).get(10).isSameFile(file("y"))).isTrue();
    }

    private Map<Integer, RemoteFile> begin(long checkpointId) {
        return uploaded.begin(checkpointId, handle -> true);
    }

    private void complete(long checkpointId, Map<Integer, RemoteFile> files) {
        begin(checkpointId);
        uploaded.uploaded(checkpointId, files);
        uploaded.completed(checkpointId);
    }

    private static RemoteFile file(String name) {
        return new RemoteFile(
                RemoteSegment.whole(new SegmentId(1, 2), 100),
                new ByteStreamStateHandle(name, new byte[1]));
    }
}
