/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.io.Fault.Kind;
import io.strata.flink.io.Fault.Operation;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The fault-injecting directory without faults, and its faults. */
class FaultInjectingDirectoryTest extends StorageDirectoryTestBase {

    @Override
    StorageDirectory open(Path root) throws IOException {
        return new FaultInjectingDirectory(LocalStorageDirectory.create(root));
    }

    private FaultInjectingDirectory faulty() throws IOException {
        return (FaultInjectingDirectory) open(temp.resolve("faulty"));
    }

    @Test
    void hitsTheOperationsItWasToldTo() throws IOException {
        FaultInjectingDirectory dir = faulty();
        dir.inject(Fault.once(Kind.FILL, Operation.CREATE, 1).on(name -> name.startsWith("a")));
        dir.create("a1").close();
        dir.create("b1").close();
        assertThatThrownBy(() -> dir.create("a2"))
                .hasMessageContaining(dir.path("a2").toString())
                .hasMessageContaining("No space left");
        dir.create("a2").close();
        assertThat(dir.faults()).isEqualTo(1);
        assertThat(dir.operations(Operation.CREATE)).isEqualTo(4);
    }

    @Test
    void tearsShortensAndFlipsWrites() throws IOException {
        FaultInjectingDirectory dir = faulty();
        dir.inject(Fault.once(Kind.TEAR, Operation.WRITE, 0));
        dir.inject(Fault.once(Kind.SHORTEN, Operation.WRITE, 0));
        dir.inject(Fault.once(Kind.FLIP, Operation.WRITE, 0));
        StorageOutput out = dir.create("f");
        byte[] bytes = {1, 2, 3, 4};
        assertThatThrownBy(() -> out.write(bytes, 0, 4)).isInstanceOf(IOException.class);
        out.write(bytes, 0, 4);
        out.write(bytes, 0, 4);
        out.write(bytes, 0, 4);
        out.close();
        assertThat(Files.readAllBytes(dir.path("f")))
                .containsExactly(1, 2, 1, 2, 1, 2, 2, 4, 1, 2, 3, 4);
    }

    @Test
    void failsShortensAndFlipsReads() throws IOException {
        FaultInjectingDirectory dir = faulty();
        try (StorageOutput out = dir.create("f")) {
            out.write(new byte[] {1, 2, 3, 4}, 0, 4);
        }
        dir.inject(Fault.once(Kind.FAIL, Operation.READ, 0));
        dir.inject(Fault.once(Kind.SHORTEN, Operation.READ, 0));
        dir.inject(Fault.once(Kind.FLIP, Operation.READ, 0));
        StorageInput in = dir.open("f");
        ByteBuffer target = ByteBuffer.allocate(4);
        assertThatThrownBy(() -> in.readFully(0, target)).hasMessageContaining("injected");
        assertThatThrownBy(() -> in.readFully(0, target)).isInstanceOf(EOFException.class);
        in.readFully(0, target);
        assertThat(target.array()).containsExactly(1, 2, 2, 4);
    }

    @Test
    void tellsHandlesThatWereNeverClosed() throws IOException {
        FaultInjectingDirectory dir = faulty();
        StorageOutput out = dir.create("f");
        assertThatThrownBy(dir::requireNoOpenHandles).hasMessageContaining("output f");
        out.close();
        StorageInput in = dir.open("f");
        assertThat(dir.openHandles()).containsExactly("input f");
        in.close();
        dir.requireNoOpenHandles();
    }

    @Test
    void failsRandomlyButRepeatably() throws IOException {
        assertThat(failures(7)).isEqualTo(failures(7)).isNotEqualTo(failures(8));
    }

    private String failures(long seed) throws IOException {
        StringBuilder failures = new StringBuilder();
        try (FaultInjectingDirectory dir = faulty()) {
            dir.failRandomly(seed, 0.3);
            for (int i = 0; i < 50; i++) {
                try {
                    dir.create("f" + i).close();
                    failures.append('.');
                } catch (IOException e) {
                    failures.append('x');
                }
            }
        }
        return failures.toString();
    }
}
