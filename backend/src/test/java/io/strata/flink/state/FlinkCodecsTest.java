/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.format.bytes.ByteSlice;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FlinkCodecsTest {

    private final ByteSlice slice = new ByteSlice();

    @Test
    void windowsTellWhenTheyAreNeeded() {
        TimeWindow window = new TimeWindow(1000, 3000);
        assertThat(
                        new FlinkKeyCodec<>(8, IntSerializer.INSTANCE, new TimeWindow.Serializer())
                                .deadlines()
                                .applyAsLong(window))
                .isEqualTo(3000);
        assertThat(
                        new FlinkKeyCodec<>(
                                        8, IntSerializer.INSTANCE, VoidNamespaceSerializer.INSTANCE)
                                .deadlines())
                .isNull();
    }

    /** A class that Flink can only give to Kryo. */
    static final class Opaque {
        final String text;

        Opaque() {
            this(null);
        }

        Opaque(String text) {
            this.text = text;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Opaque opaque && opaque.text.equals(text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }
    }

    /** A class that Flink's POJO serializer takes. */
    public static final class Pojo {
        public long number;
        public String text;

        @Override
        public boolean equals(Object other) {
            return other instanceof Pojo pojo && pojo.number == number && pojo.text.equals(text);
        }

        @Override
        public int hashCode() {
            return Long.hashCode(number);
        }

        static Pojo of(long number, String text) {
            Pojo pojo = new Pojo();
            pojo.number = number;
            pojo.text = text;
            return pojo;
        }
    }

    private record Elements<T>(TypeSerializer<T> serializer, List<T> values) {}

    static Stream<Elements<?>> elements() {
        SerializerConfigImpl config = new SerializerConfigImpl();
        return Stream.of(
                new Elements<>(LongSerializer.INSTANCE, List.of(1L, -1L, 0x2c2c2c2c2c2c2c2cL)),
                new Elements<>(StringSerializer.INSTANCE, List.of("", ",", "x".repeat(300))),
                new Elements<>(
                        new GenericTypeInfo<>(Opaque.class).createSerializer(config),
                        List.of(new Opaque("a"), new Opaque(","), new Opaque("long ".repeat(60)))),
                new Elements<>(
                        TypeInformation.of(Pojo.class).createSerializer(config),
                        List.of(Pojo.of(1, "a"), Pojo.of(44, ",,"), Pojo.of(-1, ""))),
                new Elements<>(
                        TypeInformation.of(new TypeHint<Tuple2<String, Integer>>() {})
                                .createSerializer(config),
                        List.of(Tuple2.of("a", 1), Tuple2.of(",", 44))));
    }

    @ParameterizedTest
    @MethodSource("elements")
    <T> void elementsDecodeFromPiecesOfAnyLength(Elements<T> elements) throws IOException {
        FlinkElementCodec<T> codec = new FlinkElementCodec<>(elements.serializer(), null);
        byte[] joined = join(codec, elements.values());
        int start = 0;
        for (T expected : elements.values()) {
            int whole = encoded(codec, expected).length;
            for (int length = 0; length < whole; length++) {
                ByteSlice piece = new ByteSlice().set(joined, start, length);
                assertThatThrownBy(() -> codec.decodeNext(piece)).isInstanceOf(EOFException.class);
                assertThat(piece.offset).isEqualTo(start);
                assertThat(piece.length).isEqualTo(length);
            }
            ByteSlice rest = new ByteSlice().set(joined, start, joined.length - start);
            assertThat(codec.decodeNext(rest)).isEqualTo(expected);
            int end = Math.min(start + whole + 1, joined.length);
            assertThat(rest.offset).isEqualTo(end);
            assertThat(rest.length).isEqualTo(joined.length - end);
            start = end;
        }
        assertThat(start).isEqualTo(joined.length);
    }

    @ParameterizedTest
    @MethodSource("elements")
    <T> void valuesReadBackAlsoThroughADuplicate(Elements<T> elements) throws IOException {
        FlinkValueCodec<T> codec = new FlinkValueCodec<>(elements.serializer(), null);
        FlinkValueCodec<T> duplicate = codec.duplicate();
        for (T value : elements.values()) {
            byte[] bytes = encoded(codec, value);
            assertThat(encoded(duplicate, value)).isEqualTo(bytes);
            assertThat(codec.decode(new ByteSlice(bytes))).isEqualTo(value);
            assertThat(duplicate.decode(new ByteSlice(bytes))).isEqualTo(value);
            assertThat(codec.copy(value)).isEqualTo(value);
            assertThat(codec.copy(value) == value).isEqualTo(codec.immutable());
        }
    }

    @Test
    void aDuplicateHasBuffersOfItsOwn() throws IOException {
        FlinkValueCodec<String> codec = new FlinkValueCodec<>(StringSerializer.INSTANCE, null);
        FlinkValueCodec<String> duplicate = codec.duplicate();
        codec.encode("kept", slice);
        duplicate.encode("another", new ByteSlice());
        assertThat(codec.decode(slice)).isEqualTo("kept");
    }

    @Test
    void oneLargeValueDoesNotKeepItsBuffer() throws IOException {
        FlinkValueCodec<String> codec = new FlinkValueCodec<>(StringSerializer.INSTANCE, null);
        codec.encode("x".repeat(3 << 20), slice);
        codec.encode("small", slice);
        assertThat(slice.bytes.length).isLessThan(1 << 10);
    }

    @Test
    void mapValuesMayBeNull() throws IOException {
        FlinkMapValueCodec<String> codec =
                new FlinkMapValueCodec<>(StringSerializer.INSTANCE, null);
        assertThat(encoded(codec, null)).containsExactly(1);
        assertThat(codec.decode(new ByteSlice(encoded(codec, null)))).isNull();
        assertThat(codec.decode(new ByteSlice(encoded(codec, "v")))).isEqualTo("v");
        assertThat(codec.copy(null)).isNull();
        assertThat(codec.duplicate().decode(new ByteSlice(encoded(codec, null)))).isNull();
    }

    @Test
    void keysReadBackAndFallIntoFlinksKeyGroup() throws IOException {
        FlinkKeyCodec<String, Integer> codec =
                new FlinkKeyCodec<>(128, StringSerializer.INSTANCE, IntSerializer.INSTANCE);
        for (FlinkKeyCodec<String, Integer> each : List.of(codec, codec.duplicate())) {
            for (int i = 0; i < 200; i++) {
                each.encode("key" + i, i, slice);
                assertThat(slice.bytes[slice.offset])
                        .isEqualTo((byte) KeyGroupRangeAssignment.assignToKeyGroup("key" + i, 128));
                assertThat(each.decodeKey(slice)).isEqualTo("key" + i);
                assertThat(each.decodeNamespace(slice)).isEqualTo(i);
            }
        }
    }

    @Test
    void allEntriesOfAMapShareItsPrefix() throws IOException {
        FlinkMapKeyCodec<String, VoidNamespace, Long> codec =
                new FlinkMapKeyCodec<>(
                        1_000,
                        StringSerializer.INSTANCE,
                        VoidNamespaceSerializer.INSTANCE,
                        LongSerializer.INSTANCE);
        codec.encode("map", VoidNamespace.INSTANCE, slice);
        byte[] prefix = slice.toArray();
        for (long userKey = -5; userKey < 5; userKey++) {
            codec.encodeEntry("map", VoidNamespace.INSTANCE, userKey, slice);
            assertThat(slice.toArray()).startsWith(prefix).hasSize(prefix.length + Long.BYTES);
            assertThat(codec.prefixLength(slice)).isEqualTo(prefix.length);
            assertThat(codec.decodeUserKey(slice, prefix.length)).isEqualTo(userKey);
            assertThat(codec.decodeKey(slice)).isEqualTo("map");
        }
    }

    private <V> byte[] encoded(FlinkValueCodec<V> codec, V value) throws IOException {
        codec.encode(value, slice);
        return slice.toArray();
    }

    private <T> byte[] join(FlinkElementCodec<T> codec, List<T> elements) throws IOException {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (T element : elements) {
            if (joined.size() > 0) {
                joined.write(',');
            }
            joined.write(encoded(codec, element));
        }
        return joined.toByteArray();
    }
}
