/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import java.util.Collection;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** The events of all lanes, as far and as fast as the {@link JobControl} lets them. */
final class LaneSource implements Source<Event, Lane, Collection<Lane>> {

    private static final long serialVersionUID = 1L;

    private final String control;

    LaneSource(JobControl control) {
        this.control = control.name();
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<Event, Lane> createReader(SourceReaderContext context) {
        return new LaneReader(JobControl.of(control));
    }

    @Override
    public SplitEnumerator<Lane, Collection<Lane>> createEnumerator(
            SplitEnumeratorContext<Lane> context) {
        return restoreEnumerator(context, Lane.all());
    }

    @Override
    public SplitEnumerator<Lane, Collection<Lane>> restoreEnumerator(
            SplitEnumeratorContext<Lane> context, Collection<Lane> unassigned) {
        return new LaneEnumerator(context, unassigned);
    }

    @Override
    public SimpleVersionedSerializer<Lane> getSplitSerializer() {
        return new Lane.SingleSerializer();
    }

    @Override
    public SimpleVersionedSerializer<Collection<Lane>> getEnumeratorCheckpointSerializer() {
        return new Lane.Serializer();
    }
}
