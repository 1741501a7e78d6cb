/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.timers;

import io.strata.flink.format.bytes.BoundedReader;
import io.strata.flink.format.bytes.Checksums;
import io.strata.flink.format.bytes.CorruptFormatException;
import io.strata.flink.format.bytes.FormatTooNewException;
import io.strata.flink.format.bytes.FormatTooOldException;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.StateSnapshotKeyGroupReader;

/**
 * The file with the timers of a checkpoint.
 *
 * <pre>
 *   header      magic 8 bytes, version 4 bytes
 *   blocks      for each key group that has timers: for each queue, in the directory's order, what
 *               Flink's own queue writes for a key group: a count, then the serialized timers
 *   directory   4 bytes count of queues, for each 4 bytes length and the name in UTF-8;
 *               4 bytes count of blocks, for each: 4 bytes key group, 8 bytes offset,
 *               4 bytes length, 4 bytes CRC32C
 *   trailer     8 bytes offset of the directory, 4 bytes its length, 4 bytes CRC32C of header and
 *               directory, 8 bytes magic
 * </pre>
 *
 * <p>Numbers of header, directory and trailer are little-endian; the blocks are as Flink writes
 * them. A restored task reads the trailer, the directory and the blocks of its own key groups.
 */
public final class TimerSnapshotFormat {

    /** {@code STRATATM} read as little-endian number. */
    static final long MAGIC = 0x4d54_4154_4152_5453L;

    static final int VERSION_START = 1;
    static final int VERSION_CURRENT = 1;

    static final int HEADER_BYTES = Long.BYTES + Integer.BYTES;
    static final int TRAILER_BYTES = Long.BYTES + Integer.BYTES + Integer.BYTES + Long.BYTES;

    private static final int INITIAL_BLOCK_BYTES = 1 << 12;

    /** Flink's version hint for readers of queues, which they ignore. */
    private static final int FLINK_READ_VERSION = 1;

    private record Block(int keyGroup, long offset, int length, int checksum) {}

    private record Directory(List<String> queueNames, List<Block> blocks) {}

    private TimerSnapshotFormat() {}

    /** Writes all timers of a snapshot. */
    public static void write(TimerSnapshot snapshot, KeyGroupRange keyGroups, OutputStream out)
            throws IOException {
        byte[] header = header();
        out.write(header);
        long position = HEADER_BYTES;
        List<Block> blocks = new ArrayList<>();
        DataOutputSerializer block = new DataOutputSerializer(INITIAL_BLOCK_BYTES);
        int emptyBytes = Integer.BYTES * snapshot.queues().size();
        for (int keyGroup : keyGroups) {
            block.clear();
            for (TimerSnapshot.Queue queue : snapshot.queues()) {
                queue.content().getKeyGroupWriter().writeStateInKeyGroup(block, keyGroup);
            }
            if (block.length() > emptyBytes) {
                byte[] bytes = block.getSharedBuffer();
                int length = block.length();
                blocks.add(
                        new Block(keyGroup, position, length, Checksums.crc32c(bytes, 0, length)));
                out.write(bytes, 0, length);
                position += length;
            }
        }
        List<String> names = snapshot.queues().stream().map(TimerSnapshot.Queue::name).toList();
        writeDirectory(new Directory(names, blocks), header, position, out);
    }

    private static byte[] header() {
        return littleEndian(HEADER_BYTES).putLong(MAGIC).putInt(VERSION_CURRENT).array();
    }

    private static void writeDirectory(
            Directory directory, byte[] header, long position, OutputStream out)
            throws IOException {
        byte[] bytes = encode(directory);
        ByteBuffer trailer = littleEndian(TRAILER_BYTES);
        trailer.putLong(position).putInt(bytes.length).putInt(checksum(header, bytes));
        out.write(bytes);
        out.write(trailer.putLong(MAGIC).array());
    }

    private static byte[] encode(Directory directory) {
        List<byte[]> names =
                directory.queueNames().stream()
                        .map(name -> name.getBytes(StandardCharsets.UTF_8))
                        .toList();
        int blockBytes = Integer.BYTES + Long.BYTES + Integer.BYTES + Integer.BYTES;
        int length =
                names.stream().mapToInt(name -> Integer.BYTES + name.length).sum()
                        + directory.blocks().size() * blockBytes
                        + 2 * Integer.BYTES;
        ByteBuffer out = littleEndian(length);
        out.putInt(names.size());
        names.forEach(name -> out.putInt(name.length).put(name));
        out.putInt(directory.blocks().size());
        for (Block block : directory.blocks()) {
            out.putInt(block.keyGroup()).putLong(block.offset());
            out.putInt(block.length()).putInt(block.checksum());
        }
        return out.array();
    }

    /**
     * Adds the timers of some key groups to queues that were restored from the same checkpoint.
     *
     * @param file how errors name the file
     * @param fileBytes the length of the file
     * @throws io.strata.flink.format.bytes.FormatException when the file is cut, altered, or of a
     *     version that this build does not read
     */
    public static void read(
            String file,
            long fileBytes,
            FSDataInputStream in,
            KeyGroupRange keyGroups,
            HeapTimers timers)
            throws IOException {
        Directory directory = readDirectory(file, fileBytes, in);
        for (Block block : directory.blocks()) {
            if (keyGroups.contains(block.keyGroup())) {
                byte[] bytes = readAt(file, in, block.offset(), block.length(), "timers");
                verify(file, "timers of key group " + block.keyGroup(), block.checksum(), bytes);
                addTimers(file, directory, block, new DataInputDeserializer(bytes), timers);
            }
        }
    }

    private static void addTimers(
            String file,
            Directory directory,
            Block block,
            DataInputDeserializer in,
            HeapTimers timers)
            throws IOException {
        for (String name : directory.queueNames()) {
            StateSnapshotKeyGroupReader reader = timers.reader(name, FLINK_READ_VERSION);
            if (reader == null) {
                throw new CorruptFormatException(
                        file, "queue", "one that the metadata names", name);
            }
            reader.readMappingsInKeyGroup(in, block.keyGroup());
        }
        if (in.available() > 0) {
            throw new CorruptFormatException(
                    file, "end of key group " + block.keyGroup(), "no more bytes", in.available());
        }
    }

    private static Directory readDirectory(String file, long fileBytes, FSDataInputStream in)
            throws IOException {
        if (fileBytes < HEADER_BYTES + TRAILER_BYTES) {
            throw new CorruptFormatException(
                    file, "length", "at least " + (HEADER_BYTES + TRAILER_BYTES), fileBytes);
        }
        byte[] header = readAt(file, in, 0, HEADER_BYTES, "header");
        verifyHeader(new BoundedReader(file, ByteBuffer.wrap(header)));
        long trailerOffset = fileBytes - TRAILER_BYTES;
        byte[] trailerBytes = readAt(file, in, trailerOffset, TRAILER_BYTES, "trailer");
        BoundedReader trailer = new BoundedReader(file, ByteBuffer.wrap(trailerBytes));
        long offset = trailer.readLong("offset of the directory", HEADER_BYTES, trailerOffset);
        int expectedLength = (int) Math.min(Integer.MAX_VALUE, trailerOffset - offset);
        int length = trailer.readInt("length of the directory", expectedLength, expectedLength);
        int checksum = trailer.readInt("checksum of the directory");
        verifyMagic(trailer);
        byte[] bytes = readAt(file, in, offset, length, "directory");
        int found = checksum(header, bytes);
        if (found != checksum) {
            throw new CorruptFormatException(
                    file, "directory", Checksums.text(checksum), Checksums.text(found));
        }
        return decode(new BoundedReader(file, ByteBuffer.wrap(bytes)), offset);
    }

    private static Directory decode(BoundedReader in, long blocksEnd) throws IOException {
        int nameCount = in.readInt("queues", 0, in.remaining());
        List<String> names = new ArrayList<>(nameCount);
        for (int i = 0; i < nameCount; i++) {
            names.add(in.readUtf8("queue name", in.readInt("name length", 0, in.remaining())));
        }
        int blockCount = in.readInt("key groups", 0, in.remaining());
        List<Block> blocks = new ArrayList<>(blockCount);
        for (int i = 0; i < blockCount; i++) {
            int keyGroup = in.readInt("key group");
            long offset = in.readLong("offset", HEADER_BYTES, blocksEnd);
            int most = (int) Math.min(Integer.MAX_VALUE, blocksEnd - offset);
            blocks.add(
                    new Block(
                            keyGroup, offset, in.readInt("length", 0, most), in.readInt("check")));
        }
        return new Directory(names, blocks);
    }

    private static void verifyHeader(BoundedReader in) throws IOException {
        verifyMagic(in);
        int version = in.readInt("version");
        if (version > VERSION_CURRENT) {
            throw new FormatTooNewException(in.file(), "version", VERSION_CURRENT, version);
        }
        if (version < VERSION_START) {
            throw new FormatTooOldException(in.file(), "version", VERSION_START, version);
        }
    }

    private static void verifyMagic(BoundedReader in) throws IOException {
        long magic = in.readLong("magic");
        if (magic != MAGIC) {
            throw new CorruptFormatException(
                    in.file(), "magic", Long.toHexString(MAGIC), Long.toHexString(magic));
        }
    }

    private static void verify(String file, String what, int expected, byte[] bytes)
            throws IOException {
        int found = Checksums.crc32c(bytes, 0, bytes.length);
        if (found != expected) {
            throw new CorruptFormatException(
                    file, what, Checksums.text(expected), Checksums.text(found));
        }
    }

    private static byte[] readAt(
            String file, FSDataInputStream in, long offset, int length, String what)
            throws IOException {
        byte[] bytes = new byte[length];
        in.seek(offset);
        try {
            int read = in.readNBytes(bytes, 0, length);
            if (read < length) {
                throw new CorruptFormatException(
                        file, what, length + " bytes at " + offset, read + " bytes, then the end");
            }
        } catch (EOFException e) {
            throw new CorruptFormatException(file, what, length + " bytes", "the end", e);
        }
        return bytes;
    }

    private static int checksum(byte[] header, byte[] directory) {
        ByteBuffer both = ByteBuffer.allocate(header.length + directory.length);
        both.put(header).put(directory);
        return Checksums.crc32c(both.array(), 0, both.capacity());
    }

    private static ByteBuffer littleEndian(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
