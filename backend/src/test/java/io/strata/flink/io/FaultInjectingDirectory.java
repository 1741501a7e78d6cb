/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.io;

import io.strata.flink.io.Fault.Kind;
import io.strata.flink.io.Fault.Operation;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A directory whose files go wrong where a test wants it, and which knows the handles that were
 * never closed.
 *
 * <p>Thread-safe. Faults are matched in the order in which they were added; random ones come from a
 * seed, so that a run with one thread repeats.
 */
public final class FaultInjectingDirectory implements StorageDirectory {

    private static final Map<Operation, Kind[]> RANDOM_KINDS = new EnumMap<>(Operation.class);

    static {
        for (Operation operation : Operation.values()) {
            RANDOM_KINDS.put(operation, new Kind[] {Kind.FAIL});
        }
        RANDOM_KINDS.put(Operation.CREATE, new Kind[] {Kind.FAIL, Kind.FILL});
        RANDOM_KINDS.put(Operation.WRITE, new Kind[] {Kind.FAIL, Kind.TEAR, Kind.FILL});
    }

    private final StorageDirectory delegate;
    private final List<Rule> rules = new ArrayList<>();
    private final Map<Operation, Integer> operations = new EnumMap<>(Operation.class);
    private final List<Object> openHandles = new ArrayList<>();
    private Random random;
    private double randomFaults;
    private int faults;
    private long freeBytes = -1;

    /** A fault and what is left of it. */
    private static final class Rule {
        final Fault fault;
        int skip;
        int times;

        Rule(Fault fault) {
            this.fault = fault;
            this.skip = fault.skip();
            this.times = fault.times();
        }

        boolean hits(Operation operation, String name) {
            if (fault.operation() != operation || !fault.file().test(name) || times == 0) {
                return false;
            }
            if (skip > 0) {
                skip--;
                return false;
            }
            times--;
            return true;
        }
    }

    /** Wraps a directory; nothing goes wrong until a fault is added. */
    public FaultInjectingDirectory(StorageDirectory delegate) {
        this.delegate = delegate;
    }

    /** Adds a fault. */
    public synchronized void inject(Fault fault) {
        rules.add(new Rule(fault));
    }

    /** Lets any operation fail loudly with the given probability. */
    public synchronized void failRandomly(long seed, double probability) {
        random = new Random(seed);
        randomFaults = probability;
    }

    /** Lets everything succeed from now on. */
    public synchronized void heal() {
        rules.clear();
        randomFaults = 0;
    }

    /** Sets what the directory says is free. */
    public synchronized void setFreeBytes(long bytes) {
        freeBytes = bytes;
    }

    /** Returns how many operations went wrong. */
    public synchronized int faults() {
        return faults;
    }

    /** Returns how many operations of a kind were asked for. */
    public synchronized int operations(Operation operation) {
        return operations.getOrDefault(operation, 0);
    }

    /** Returns what is open, as text. */
    public synchronized List<String> openHandles() {
        return openHandles.stream().map(Object::toString).toList();
    }

    /** Fails when a handle was never closed. */
    public void requireNoOpenHandles() {
        List<String> open = openHandles();
        if (!open.isEmpty()) {
            throw new AssertionError("handles were never closed: " + open);
        }
    }

    @Override
    public StorageOutput create(String name) throws IOException {
        failIf(Operation.CREATE, name);
        return opened(new FaultyOutput(delegate.create(name)));
    }

    @Override
    public StorageInput open(String name) throws IOException {
        failIf(Operation.OPEN, name);
        return opened(new FaultyInput(delegate.open(name)));
    }

    @Override
    public void delete(String name) throws IOException {
        failIf(Operation.DELETE, name);
        delegate.delete(name);
    }

    @Override
    public List<String> list() throws IOException {
        return delegate.list();
    }

    @Override
    public boolean exists(String name) {
        return delegate.exists(name);
    }

    @Override
    public long sizeBytes(String name) throws IOException {
        return delegate.sizeBytes(name);
    }

    @Override
    public synchronized long freeBytes() {
        return freeBytes < 0 ? delegate.freeBytes() : freeBytes;
    }

    @Override
    public Path path(String name) {
        return delegate.path(name);
    }

    @Override
    public void linkOut(String name, Path target) throws IOException {
        failIf(Operation.LINK, name);
        delegate.linkOut(name, target);
    }

    @Override
    public void linkIn(Path source, String name) throws IOException {
        failIf(Operation.LINK, name);
        delegate.linkIn(source, name);
    }

    @Override
    public boolean tryLinkIn(Path source, String name) throws IOException {
        failIf(Operation.LINK, name);
        return delegate.tryLinkIn(source, name);
    }

    @Override
    public void close() throws IOException {
        delegate.close();
    }

    /** Decides about one operation; null lets it succeed. */
    private synchronized Kind decide(Operation operation, String name) {
        operations.merge(operation, 1, Integer::sum);
        for (Rule rule : rules) {
            if (rule.hits(operation, name)) {
                faults++;
                return rule.fault.kind();
            }
        }
        if (randomFaults > 0 && random.nextDouble() < randomFaults) {
            faults++;
            Kind[] kinds = RANDOM_KINDS.get(operation);
            return kinds[random.nextInt(kinds.length)];
        }
        return null;
    }

    private void failIf(Operation operation, String name) throws IOException {
        Kind kind = decide(operation, name);
        if (kind != null) {
            throw failure(kind, operation, name);
        }
    }

    private IOException failure(Kind kind, Operation operation, String name) {
        if (kind == Kind.FILL) {
            IOException cause = new IOException("No space left on device");
            return LocalStorageDirectory.named("injected " + operation, path(name), cause);
        }
        return new IOException(path(name) + ": " + operation + ": injected " + kind);
    }

    private synchronized <T> T opened(T handle) {
        openHandles.add(handle);
        return handle;
    }

    private synchronized void closed(Object handle) {
        openHandles.remove(handle);
    }

    private final class FaultyOutput implements StorageOutput {

        private final StorageOutput output;

        FaultyOutput(StorageOutput output) {
            this.output = output;
        }

        @Override
        public String name() {
            return output.name();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            Kind kind = decide(Operation.WRITE, name());
            if (kind == null) {
                output.write(bytes, offset, length);
            } else {
                byte[] faulty = faulty(kind, bytes, offset, length);
                output.write(faulty, 0, faulty.length);
                failUnlessSilent(kind);
            }
        }

        @Override
        public void write(ByteBuffer source) throws IOException {
            byte[] bytes = new byte[source.remaining()];
            source.get(bytes);
            write(bytes, 0, bytes.length);
        }

        @Override
        public void writeAt(long position, byte[] bytes, int offset, int length)
                throws IOException {
            Kind kind = decide(Operation.WRITE, name());
            if (kind == null) {
                output.writeAt(position, bytes, offset, length);
            } else {
                byte[] faulty = faulty(kind, bytes, offset, length);
                output.writeAt(position, faulty, 0, faulty.length);
                failUnlessSilent(kind);
            }
        }

        private byte[] faulty(Kind kind, byte[] bytes, int offset, int length) {
            int written =
                    switch (kind) {
                        case FAIL, FILL -> 0;
                        case TEAR, SHORTEN -> length / 2;
                        case FLIP -> length;
                    };
            byte[] faulty = new byte[written];
            System.arraycopy(bytes, offset, faulty, 0, written);
            if (kind == Kind.FLIP && written > 0) {
                faulty[written / 2] ^= 1;
            }
            return faulty;
        }

        private void failUnlessSilent(Kind kind) throws IOException {
            if (kind != Kind.SHORTEN && kind != Kind.FLIP) {
                throw failure(kind, Operation.WRITE, name());
            }
        }

        @Override
        public long position() {
            return output.position();
        }

        @Override
        public void close() throws IOException {
            closed(this);
            output.close();
            failIf(Operation.CLOSE_OUTPUT, name());
        }

        @Override
        public String toString() {
            return "output " + name();
        }
    }

    private final class FaultyInput implements StorageInput {

        private final StorageInput input;

        FaultyInput(StorageInput input) {
            this.input = input;
        }

        @Override
        public String name() {
            return input.name();
        }

        @Override
        public long sizeBytes() {
            return input.sizeBytes();
        }

        @Override
        public void readFully(long position, ByteBuffer target) throws IOException {
            Kind kind = decide(Operation.READ, name());
            if (kind == Kind.SHORTEN) {
                throw new EOFException(path(name()) + ": READ: injected " + kind);
            } else if (kind != null && kind != Kind.FLIP) {
                throw failure(kind, Operation.READ, name());
            }
            int start = target.position();
            input.readFully(position, target);
            if (kind == Kind.FLIP && target.position() > start) {
                int middle = (start + target.position()) / 2;
                target.put(middle, (byte) (target.get(middle) ^ 1));
            }
        }

        @Override
        public void close() throws IOException {
            closed(this);
            input.close();
        }

        @Override
        public String toString() {
            return "input " + name();
        }
    }
}
