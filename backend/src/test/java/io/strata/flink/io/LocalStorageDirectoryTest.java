/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.io;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class LocalStorageDirectoryTest extends StorageDirectoryTestBase {

    @Override
    StorageDirectory open(Path root) throws IOException {
        return LocalStorageDirectory.create(root);
    }

    @Test
    void refusesAPlaceThatIsNotItsOwn() throws IOException {
        Path full = Files.createDirectories(temp.resolve("full"));
        Path file = Files.writeString(full.resolve("somebody's"), "x");
        assertThatThrownBy(() -> LocalStorageDirectory.create(full))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(full.toString())
                .hasMessageContaining("not empty");
        assertThatThrownBy(() -> LocalStorageDirectory.create(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString());
        assertThatThrownBy(() -> LocalStorageDirectory.create(file.resolve("below")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString());
    }
}
