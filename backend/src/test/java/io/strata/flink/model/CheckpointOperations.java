/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.model;

import java.util.List;
import org.apache.flink.runtime.state.KeyedStateHandle;

/** Operations of the checkpointing and of failures. */
final class CheckpointOperations {

    private CheckpointOperations() {}

    record Start(Checkpoints.Course course, boolean full, long failAfterBytes)
            implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            return job.checkpoints().start(course, full, failAfterBytes);
        }

        /** Only the subject's streams fail; what follows from it is replayed. */
        @Override
        public String replay(KeyedJob model, Object subjectOutcome) throws Exception {
            return model.checkpoints().start(course, full, Long.MAX_VALUE);
        }
    }

    record Finish(int which, boolean confirmed) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            return job.checkpoints().finish(which, confirmed);
        }

        @Override
        public String replay(KeyedJob model, Object subjectOutcome) throws Exception {
            if (!subjectOutcome.toString().startsWith("failed")) {
                return apply(model);
            }
            return model.checkpoints().abort(which, true).replace("aborted", "failed");
        }
    }

    record Abort(int which, boolean cancelFirst) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            return job.checkpoints().abort(which, cancelFirst);
        }
    }

    /** Fails the job, restores a retained checkpoint, and reads everything. */
    record Restore(int which, int parallelism, boolean disposeOnly) implements Operation {
        @Override
        public String apply(KeyedJob job) throws Exception {
            List<KeyedStateHandle> handles = job.checkpoints().retained(which);
            if (handles == null) {
                return "nothing to restore";
            }
            job.checkpoints().failPending();
            job.restart(handles, parallelism, disposeOnly);
            return job.scan();
        }
    }
}
