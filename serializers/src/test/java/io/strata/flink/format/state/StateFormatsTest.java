/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.format.testing.GoldenFile;
import io.strata.flink.format.testing.Seed;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.state.ListDelimitedSerializer;
import org.junit.jupiter.api.Test;

/** Value bytes against Flink's own encoders, and against the golden file. */
class StateFormatsTest {

    private static final int ROUNDS = 2_000;

    private final DataOutputSerializer out = new DataOutputSerializer(16);

    @Test
    void listEqualsFlinksBytesAndReadsBack() throws IOException {
        Seed seed = Seed.orElse(3);
        Random random = seed.random();
        ListDelimitedSerializer flink = new ListDelimitedSerializer();
        for (int i = 0; i < ROUNDS; i++) {
            List<String> list = randomList(random);
            byte[] bytes = list(list, StringSerializer.INSTANCE);
            assertThat(bytes)
                    .as("%s", seed)
                    .isEqualTo(flink.serializeList(list, StringSerializer.INSTANCE));
            assertThat(readAll(bytes, StringSerializer.INSTANCE)).as("%s", seed).isEqualTo(list);
        }
    }

    @Test
    void joinedListsReadAsOne() throws IOException {
        Seed seed = Seed.orElse(4);
        Random random = seed.random();
        for (int i = 0; i < ROUNDS; i++) {
            List<String> older = randomList(random);
            List<String> newer = randomList(random);
            out.clear();
            ListFormat.write(older, StringSerializer.INSTANCE, out);
            out.writeByte(ListFormat.DELIMITER);
            ListFormat.write(newer, StringSerializer.INSTANCE, out);
            List<String> both = new ArrayList<>(older);
            both.addAll(newer);
            assertThat(readAll(out.getCopyOfBuffer(), StringSerializer.INSTANCE))
                    .as("%s", seed)
                    .isEqualTo(both);
        }
    }

    @Test
    void delimiterInsideAnElementIsNoDelimiter() throws IOException {
        List<Integer> list = List.of(0x2c2c2c2c, 0x2c, 0x2c00);
        assertThat(readAll(list(list, IntSerializer.INSTANCE), IntSerializer.INSTANCE))
                .isEqualTo(list);
    }

    @Test
    void wrongDelimiterIsRefused() throws IOException {
        byte[] bytes = list(List.of(1L, 2L), LongSerializer.INSTANCE);
        bytes[8] = ';';
        assertThatThrownBy(() -> readAll(bytes, LongSerializer.INSTANCE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("expected the delimiter 2c")
                .hasMessageContaining("found 3b");
    }

    @Test
    void listCutInsideAnElementIsRefused() throws IOException {
        byte[] bytes = list(List.of(1L, 2L), LongSerializer.INSTANCE);
        byte[] cut = Arrays.copyOf(bytes, bytes.length - 1);
        assertThatThrownBy(() -> readAll(cut, LongSerializer.INSTANCE))
                .isInstanceOf(EOFException.class);
    }

    @Test
    void nullElementIsRefused() {
        assertThatThrownBy(() -> list(Arrays.asList("a", null), StringSerializer.INSTANCE))
                .isInstanceOf(NullPointerException.class);
    }

    @Test
    void mapValueReadsBackNullToo() throws IOException {
        for (String value : new String[] {null, "", "x", "long ".repeat(1_000)}) {
            out.clear();
            MapValueFormat.write(value, StringSerializer.INSTANCE, out);
            DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
            assertThat(MapValueFormat.read(in, StringSerializer.INSTANCE)).isEqualTo(value);
            assertThat(in.available()).isZero();
        }
    }

    @Test
    void goldenFile() throws IOException {
        new GoldenFile("state-values.hex", "Values of each kind of state")
                .add("value: long 42", value(42L, LongSerializer.INSTANCE))
                .add("value: string ab", value("ab", StringSerializer.INSTANCE))
                .add("list: one string, ab", list(List.of("ab"), StringSerializer.INSTANCE))
                .add(
                        "list: strings ab, empty, c",
                        list(List.of("ab", "", "c"), StringSerializer.INSTANCE))
                .add("list: ints 1, 44, 2", list(List.of(1, 44, 2), IntSerializer.INSTANCE))
                .add("map value: null", mapValue(null))
                .add("map value: string ab", mapValue("ab"))
                .verify();
    }

    private <T> byte[] value(T value, TypeSerializer<T> serializer) throws IOException {
        out.clear();
        ValueFormat.write(value, serializer, out);
        byte[] bytes = out.getCopyOfBuffer();
        assertThat(ValueFormat.read(new DataInputDeserializer(bytes), serializer)).isEqualTo(value);
        return bytes;
    }

    private <T> byte[] list(List<T> list, TypeSerializer<T> serializer) throws IOException {
        out.clear();
        ListFormat.write(list, serializer, out);
        return out.getCopyOfBuffer();
    }

    private byte[] mapValue(String value) throws IOException {
        out.clear();
        MapValueFormat.write(value, StringSerializer.INSTANCE, out);
        return out.getCopyOfBuffer();
    }

    private static <T> List<T> readAll(byte[] bytes, TypeSerializer<T> serializer)
            throws IOException {
        DataInputDeserializer in = new DataInputDeserializer(bytes);
        List<T> list = new ArrayList<>();
        while (in.available() > 0) {
            list.add(ListFormat.readElement(in, serializer));
        }
        return list;
    }

    private static List<String> randomList(Random random) {
        List<String> list = new ArrayList<>();
        for (int i = random.nextInt(6); i >= 0; i--) {
            list.add(",".repeat(random.nextInt(4)) + "e".repeat(random.nextInt(200)));
        }
        return list;
    }
}
