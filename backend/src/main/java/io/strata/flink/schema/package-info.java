/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * The forms that the values of a state were written in, and how each of them is read.
 *
 * <p>A {@link io.strata.flink.schema.Schema} is the snapshot of a serializer under a number made of
 * its bytes; every run carries the number of the schema it was written in, and every checkpoint the
 * schemas of its runs ({@link io.strata.flink.schema.SavedSchemas}). When a job changes the type of
 * a state, nothing is rewritten: {@link io.strata.flink.schema.SchemaReaders} ask Flink how each
 * older schema becomes the present one, reads convert what they find, and merges what they merge.
 *
 * <p>Where Flink wraps a serializer for a time to live, {@link
 * io.strata.flink.schema.PlainSerializers} and {@link io.strata.flink.schema.TimeToLive} look
 * inside.
 */
package io.strata.flink.schema;
