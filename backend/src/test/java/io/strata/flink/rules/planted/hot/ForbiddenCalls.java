/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.rules.planted.hot;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Makes one call of each forbidden kind. */
class ForbiddenCalls {

    Random unseeded() {
        return new Random();
    }

    long time() {
        return System.nanoTime();
    }

    boolean deletes(File file) {
        return file.delete();
    }

    Thread unnamed(Runnable work) {
        return new Thread(work);
    }

    ExecutorService unnamedPool() {
        return Executors.newCachedThreadPool();
    }

    void prints() {
        System.out.println();
    }

    void exits() {
        System.exit(1);
    }

    MappedByteBuffer maps(FileChannel channel) throws IOException {
        return channel.map(FileChannel.MapMode.READ_ONLY, 0, 1);
    }

    ByteBuffer direct() {
        return ByteBuffer.allocateDirect(1);
    }
}
