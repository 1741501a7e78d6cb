/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.examples.flights;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/** Writes a split into a checkpoint: file, position, end. */
final class FlightSplitSerializer implements SimpleVersionedSerializer<FlightSplit> {

    private static final int VERSION = 1;
    private static final int USUAL_BYTES = 128;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(FlightSplit split) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(USUAL_BYTES);
        write(split, out);
        return out.getCopyOfBuffer();
    }

    @Override
    public FlightSplit deserialize(int version, byte[] serialized) throws IOException {
        return read(version, new DataInputDeserializer(serialized));
    }

    /** Writes the splits that no reader has taken yet. */
    static final class Unassigned implements SimpleVersionedSerializer<Collection<FlightSplit>> {

        @Override
        public int getVersion() {
            return VERSION;
        }

        @Override
        public byte[] serialize(Collection<FlightSplit> splits) throws IOException {
            DataOutputSerializer out = new DataOutputSerializer(USUAL_BYTES);
            out.writeInt(splits.size());
            for (FlightSplit split : splits) {
                write(split, out);
            }
            return out.getCopyOfBuffer();
        }

        @Override
        public Collection<FlightSplit> deserialize(int version, byte[] serialized)
                throws IOException {
            DataInputDeserializer in = new DataInputDeserializer(serialized);
            int count = in.readInt();
            List<FlightSplit> splits = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                splits.add(read(version, in));
            }
            return splits;
        }
    }

    private static void write(FlightSplit split, DataOutputSerializer out) throws IOException {
        out.writeUTF(split.file().location());
        out.writeLong(split.position());
        out.writeLong(split.end());
    }

    private static FlightSplit read(int version, DataInputDeserializer in) throws IOException {
        if (version != VERSION) {
            throw new IOException("Flight split of version " + version + ", expected " + VERSION);
        }
        return new FlightSplit(new FlightFile(in.readUTF()), in.readLong(), in.readLong());
    }
}
