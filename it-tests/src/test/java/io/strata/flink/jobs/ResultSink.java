/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.jobs;

import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/** Hands lines to the {@link JobControl}. */
final class ResultSink implements Sink<String> {

    private static final long serialVersionUID = 1L;

    private final String control;

    ResultSink(JobControl control) {
        this.control = control.name();
    }

    /** The part of a line that no other line shares. */
    static String about(String line) {
        return line.substring(0, line.indexOf(':'));
    }

    @Override
    public SinkWriter<String> createWriter(WriterInitContext context) {
        return new Writer(JobControl.of(control));
    }

    private record Writer(JobControl control) implements SinkWriter<String> {

        @Override
        public void write(String line, Context context) {
            control.result(about(line), line);
        }

        @Override
        public void flush(boolean endOfInput) {}

        @Override
        public void close() {}
    }
}
