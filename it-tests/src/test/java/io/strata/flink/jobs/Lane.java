/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * One of the {@link Event#LANES} streams of events and how far it has been read.
 *
 * @param number which lane
 * @param position sequence number of the next event
 */
record Lane(int number, long position) implements SourceSplit {

    @Override
    public String splitId() {
        return "lane-" + number;
    }

    Lane next() {
        return new Lane(number, position + 1);
    }

    /** All lanes, from the start. */
    static List<Lane> all() {
        List<Lane> lanes = new ArrayList<>();
        for (int number = 0; number < Event.LANES; number++) {
            lanes.add(new Lane(number, 0));
        }
        return lanes;
    }

    /** Writes lanes into a checkpoint. */
    static final class Serializer implements SimpleVersionedSerializer<Collection<Lane>> {

        private static final int LANE_BYTES = 12;

        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(Collection<Lane> lanes) throws IOException {
            DataOutputSerializer out = new DataOutputSerializer(lanes.size() * LANE_BYTES + 1);
            for (Lane lane : lanes) {
                out.writeInt(lane.number);
                out.writeLong(lane.position);
            }
            return out.getCopyOfBuffer();
        }

        @Override
        public Collection<Lane> deserialize(int version, byte[] bytes) throws IOException {
            DataInputDeserializer in = new DataInputDeserializer(bytes);
            List<Lane> lanes = new ArrayList<>();
            while (in.available() > 0) {
                lanes.add(new Lane(in.readInt(), in.readLong()));
            }
            return lanes;
        }
    }

    /** Writes one lane. */
    static final class SingleSerializer implements SimpleVersionedSerializer<Lane> {

        private final Serializer lanes = new Serializer();

        @Override
        public int getVersion() {
            return lanes.getVersion();
        }

        @Override
        public byte[] serialize(Lane lane) throws IOException {
            return lanes.serialize(List.of(lane));
        }

        @Override
        public Lane deserialize(int version, byte[] bytes) throws IOException {
            return lanes.deserialize(version, bytes).iterator().next();
        }
    }
}
