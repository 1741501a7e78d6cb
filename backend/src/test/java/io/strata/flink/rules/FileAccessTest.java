/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static io.strata.flink.rules.Ban.member;
import static io.strata.flink.rules.Ban.memberOfKind;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.RandomAccessFile;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/**
 * Invariant I3: only package {@code io} opens files, so that faults can be injected in one place.
 */
class FileAccessTest {

    /** Names of files (Path, File) may be passed around; only touching the disk is banned. */
    private static final Ban FILES =
            Ban.of(
                            "local files",
                            "StorageDirectory, so that a test can make it fail (I3)",
                            member(Files.class)
                                    .or(member(FileInputStream.class))
                                    .or(member(FileOutputStream.class))
                                    .or(member(FileReader.class))
                                    .or(member(FileWriter.class))
                                    .or(member(RandomAccessFile.class))
                                    .or(memberOfKind(FileChannel.class))
                                    .or(memberOfKind(AsynchronousFileChannel.class))
                                    .or(
                                            member(
                                                    File.class,
                                                    "createNewFile",
                                                    "createTempFile",
                                                    "delete",
                                                    "exists",
                                                    "isDirectory",
                                                    "isFile",
                                                    "canRead",
                                                    "canWrite",
                                                    "length",
                                                    "list",
                                                    "listFiles",
                                                    "mkdir",
                                                    "mkdirs",
                                                    "renameTo")))
                    .butNotIn(used -> used.getPackageName().equals(HouseClasses.ROOT + ".io"));

    @Test
    void onlyIoTouchesFiles() {
        classes().should(FILES.isNotUsed()).check(HouseClasses.main());
    }

    @Test
    void findsPlantedFileAccess() {
        assertThatThrownBy(() -> classes().should(FILES.isNotUsed()).check(HouseClasses.planted()))
                .hasMessageContaining("planted.segment.OpensFiles.reads")
                .hasMessageContaining("planted.segment.OpensFiles.exists")
                .hasMessageNotContaining("OpensFiles.namesOnly");
    }
}
