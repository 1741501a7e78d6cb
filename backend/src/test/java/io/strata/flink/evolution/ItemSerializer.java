/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.evolution;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes items in the form of one version, and refuses to read the form of any other. Newer
 * versions are compatible after a migration. Used by one thread at a time, or it fails (I9).
 */
final class ItemSerializer extends TypeSerializer<Item> {

    private static final long serialVersionUID = 1L;

    private final int version;
    private final int oldestReadable;
    private final AtomicReference<Thread> user = new AtomicReference<>();

    ItemSerializer(int version) {
        this(version, 1);
    }

    private ItemSerializer(int version, int oldestReadable) {
        this.version = version;
        this.oldestReadable = oldestReadable;
    }

    /** Returns a serializer that can read its own version and the one before, but no older one. */
    static ItemSerializer withShortMemory(int version) {
        return new ItemSerializer(version, version - 1);
    }

    static boolean hasAmount(int version) {
        return version == 2 || version == 3;
    }

    static boolean hasNote(int version) {
        return version >= 3;
    }

    @Override
    public boolean isImmutableType() {
        return true;
    }

    @Override
    public TypeSerializer<Item> duplicate() {
        return new ItemSerializer(version, oldestReadable);
    }

    @Override
    public Item createInstance() {
        return null;
    }

    @Override
    public Item copy(Item from) {
        return from;
    }

    @Override
    public Item copy(Item from, Item reuse) {
        return from;
    }

    @Override
    public int getLength() {
        return -1;
    }

    @Override
    public void serialize(Item item, DataOutputView target) throws IOException {
        enter();
        target.writeByte(version);
        target.writeUTF(item.name());
        if (hasAmount(version)) {
            target.writeLong(item.amount());
        }
        if (hasNote(version)) {
            target.writeUTF(item.note());
        }
        user.set(null);
    }

    @Override
    public Item deserialize(DataInputView source) throws IOException {
        enter();
        try {
            int written = source.readByte();
            if (written != version) {
                throw new IOException(
                        "bytes of version " + written + " given to version " + version);
            }
            return new Item(
                    source.readUTF(),
                    hasAmount(version) ? source.readLong() : Item.NO_AMOUNT,
                    hasNote(version) ? source.readUTF() : Item.NO_NOTE);
        } finally {
            user.set(null);
        }
    }

    private void enter() {
        if (!user.compareAndSet(null, Thread.currentThread())) {
            throw new IllegalStateException("used by " + user.get() + " and another thread");
        }
    }

    @Override
    public Item deserialize(Item reuse, DataInputView source) throws IOException {
        return deserialize(source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ItemSerializer serializer && serializer.version == version;
    }

    @Override
    public int hashCode() {
        return version;
    }

    @Override
    public String toString() {
        return "ItemSerializer of version " + version;
    }

    @Override
    public TypeSerializerSnapshot<Item> snapshotConfiguration() {
        return new Snapshot(version, oldestReadable);
    }

    /** The version. */
    public static final class Snapshot implements TypeSerializerSnapshot<Item> {

        private int version;
        private int oldestReadable;

        /** For Flink. */
        @SuppressWarnings("unused")
        public Snapshot() {}

        private Snapshot(int version, int oldestReadable) {
            this.version = version;
            this.oldestReadable = oldestReadable;
        }

        @Override
        public int getCurrentVersion() {
            return 1;
        }

        @Override
        public void writeSnapshot(DataOutputView out) throws IOException {
            out.writeInt(version);
            out.writeInt(oldestReadable);
        }

        @Override
        public void readSnapshot(int readVersion, DataInputView in, ClassLoader classLoader)
                throws IOException {
            version = in.readInt();
            oldestReadable = in.readInt();
        }

        @Override
        public TypeSerializer<Item> restoreSerializer() {
            return new ItemSerializer(version, oldestReadable);
        }

        @Override
        public TypeSerializerSchemaCompatibility<Item> resolveSchemaCompatibility(
                TypeSerializerSnapshot<Item> old) {
            if (!(old instanceof Snapshot written)
                    || written.version > version
                    || written.version < oldestReadable) {
                return TypeSerializerSchemaCompatibility.incompatible();
            }
            return written.version == version
                    ? TypeSerializerSchemaCompatibility.compatibleAsIs()
                    : TypeSerializerSchemaCompatibility.compatibleAfterMigration();
        }

        @Override
        public String toString() {
            return "Snapshot of version " + version;
        }
    }
}
