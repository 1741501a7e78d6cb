/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strata.flink.format.bytes.ByteSlice;
import io.strata.flink.format.testing.GoldenFile;
import io.strata.flink.format.testing.Seed;
import java.io.IOException;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.state.CompositeKeySerializationUtils;
import org.apache.flink.runtime.state.SerializedCompositeKeyBuilder;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Composite keys against Flink's own builder, and against the golden file. */
class CompositeKeyTest {

    private static final int ROUNDS = 2_000;

    /** A serializer with a source of random values of its type. */
    record Part<T>(TypeSerializer<T> serializer, Function<Random, T> values) {}

    static final Part<Long> LONGS = new Part<>(LongSerializer.INSTANCE, Random::nextLong);
    static final Part<String> STRINGS =
            new Part<>(StringSerializer.INSTANCE, CompositeKeyTest::randomString);
    static final Part<VoidNamespace> NO_NAMESPACE =
            new Part<>(VoidNamespaceSerializer.INSTANCE, random -> VoidNamespace.INSTANCE);
    static final Part<TimeWindow> WINDOWS =
            new Part<>(
                    new TimeWindow.Serializer(),
                    random -> new TimeWindow(random.nextLong(), random.nextLong()));

    static Stream<Part<?>[]> pairs() {
        return Stream.of(
                new Part<?>[] {LONGS, NO_NAMESPACE},
                new Part<?>[] {LONGS, WINDOWS},
                new Part<?>[] {LONGS, STRINGS},
                new Part<?>[] {STRINGS, NO_NAMESPACE},
                new Part<?>[] {STRINGS, WINDOWS},
                new Part<?>[] {STRINGS, STRINGS});
    }

    @ParameterizedTest
    @MethodSource("pairs")
    <K, N> void equalsFlinksBytesAndReadsBack(Part<K> keys, Part<N> namespaces) throws Exception {
        Seed seed = Seed.orElse(1);
        Random random = seed.random();
        for (int keyGroupsInJob : new int[] {1, 128, 129, 32768}) {
            for (int i = 0; i < ROUNDS / 4; i++) {
                assertRoundTrip(keys, namespaces, keyGroupsInJob, random, seed);
            }
        }
    }

    private static <K, N> void assertRoundTrip(
            Part<K> keys, Part<N> namespaces, int keyGroupsInJob, Random random, Seed seed)
            throws IOException {
        int prefixBytes = KeyGroupPrefix.lengthBytes(keyGroupsInJob);
        assertThat(prefixBytes)
                .isEqualTo(
                        CompositeKeySerializationUtils.computeRequiredBytesInKeyGroupPrefix(
                                keyGroupsInJob));
        var writer =
                new CompositeKeyWriter<>(prefixBytes, keys.serializer(), namespaces.serializer());
        var reader =
                new CompositeKeyReader<>(prefixBytes, keys.serializer(), namespaces.serializer());
        var flink = new SerializedCompositeKeyBuilder<>(keys.serializer(), prefixBytes, 32);
        K key = keys.values().apply(random);
        N namespace = namespaces.values().apply(random);
        String userKey = randomString(random);
        int keyGroup = random.nextInt(keyGroupsInJob);
        flink.setKeyAndKeyGroup(key, keyGroup);
        ByteSlice slice = new ByteSlice();

        writer.write(keyGroup, key, namespace, slice);
        byte[] prefix = slice.toArray();
        assertThat(prefix)
                .as("%s", seed)
                .isEqualTo(flink.buildCompositeKeyNamespace(namespace, namespaces.serializer()));

        int prefixLength =
                writer.write(keyGroup, key, namespace, userKey, StringSerializer.INSTANCE, slice);
        byte[] entry = slice.toArray();
        assertThat(entry)
                .as("%s", seed)
                .isEqualTo(
                        flink.buildCompositeKeyNamesSpaceUserKey(
                                namespace,
                                namespaces.serializer(),
                                userKey,
                                StringSerializer.INSTANCE));

        ByteSlice shifted = shifted(entry, random);
        assertThat(prefixLength).isEqualTo(prefix.length);
        assertThat(KeyGroupPrefix.read(prefixBytes, shifted.bytes, shifted.offset))
                .isEqualTo(keyGroup);
        assertThat(reader.readKey(shifted)).as("%s", seed).isEqualTo(key);
        assertThat(reader.readNamespace(shifted)).as("%s", seed).isEqualTo(namespace);
        assertThat(reader.prefixLength(shifted)).as("%s", seed).isEqualTo(prefixLength);
        assertThat(reader.readUserKey(shifted, prefixLength, StringSerializer.INSTANCE))
                .as("%s", seed)
                .isEqualTo(userKey);
    }

    /** The same bytes somewhere inside a larger array, as they are read from a page. */
    private static ByteSlice shifted(byte[] bytes, Random random) {
        int before = random.nextInt(9);
        byte[] page = new byte[before + bytes.length + random.nextInt(9)];
        random.nextBytes(page);
        System.arraycopy(bytes, 0, page, before, bytes.length);
        ByteSlice slice = new ByteSlice();
        slice.set(page, before, bytes.length);
        return slice;
    }

    /** Mostly short; now and then long enough for suffixes of two and three bytes. */
    private static String randomString(Random random) {
        int kind = random.nextInt(200);
        int length = kind == 0 ? 70_000 : kind < 20 ? 200 + random.nextInt(600) : random.nextInt(9);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }

    @Test
    void keyGroupPrefixIsBigEndianAndEqualsFlinks() {
        for (int prefixBytes = 1; prefixBytes <= 2; prefixBytes++) {
            for (int keyGroup = 0; keyGroup < (prefixBytes == 1 ? 128 : 32768); keyGroup++) {
                byte[] ours = new byte[prefixBytes];
                byte[] flinks = new byte[prefixBytes];
                KeyGroupPrefix.write(keyGroup, prefixBytes, ours, 0);
                CompositeKeySerializationUtils.serializeKeyGroup(keyGroup, flinks);
                assertThat(ours).isEqualTo(flinks);
                assertThat(KeyGroupPrefix.read(prefixBytes, ours, 0)).isEqualTo(keyGroup);
            }
        }
    }

    @Test
    void everyWrongSuffixIsRefused() throws Exception {
        var writer =
                new CompositeKeyWriter<>(1, StringSerializer.INSTANCE, StringSerializer.INSTANCE);
        var reader =
                new CompositeKeyReader<>(1, StringSerializer.INSTANCE, StringSerializer.INSTANCE);
        ByteSlice slice = new ByteSlice();
        writer.write(7, "ab", "x", slice);
        for (int suffixAt : new int[] {4, 7}) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] damaged = slice.toArray();
                damaged[suffixAt] ^= (byte) (1 << bit);
                assertThatThrownBy(() -> reader.prefixLength(new ByteSlice(damaged)))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("length suffix");
            }
        }
    }

    @Test
    void everyTruncationIsRefused() throws Exception {
        var writer =
                new CompositeKeyWriter<>(2, StringSerializer.INSTANCE, StringSerializer.INSTANCE);
        var reader =
                new CompositeKeyReader<>(2, StringSerializer.INSTANCE, StringSerializer.INSTANCE);
        ByteSlice slice = new ByteSlice();
        writer.write(7, "ab", "xyz", slice);
        for (int length = 0; length < slice.length; length++) {
            ByteSlice cut = new ByteSlice();
            cut.set(slice.bytes, 0, length);
            assertThatThrownBy(() -> reader.prefixLength(cut)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> reader.readNamespace(cut)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void goldenFile() throws Exception {
        GoldenFile golden = new GoldenFile("composite-key.hex", "Composite keys");
        TimeWindow window = new TimeWindow(1_000, 2_000);
        golden.add("key group 5, long key 42, no namespace", key(1, 5, 42L, LONGS, NO_NAMESPACE))
                .add(
                        "key group 5 of more than 128, long key 42, no namespace",
                        key(2, 5, 42L, LONGS, NO_NAMESPACE))
                .add("key group 300, string key ab", key(2, 300, "ab", STRINGS, NO_NAMESPACE))
                .add(
                        "key group 7, string key ab, window [1000, 2000): fixed length, no suffix",
                        key(1, 7, "ab", window, STRINGS, WINDOWS))
                .add(
                        "key group 7, string key ab, string namespace x: two suffixes",
                        key(1, 7, "ab", "x", STRINGS, STRINGS))
                .add(
                        "key group 0, empty string key, namespace of 299 z: suffix of two bytes",
                        key(1, 0, "", "z".repeat(299), STRINGS, STRINGS))
                .add("key group 7, string key ab, no namespace, int user key -2", mapKey())
                .verify();
    }

    private static <K> byte[] key(
            int prefixBytes, int keyGroup, K key, Part<K> keys, Part<VoidNamespace> namespaces)
            throws IOException {
        return key(prefixBytes, keyGroup, key, VoidNamespace.INSTANCE, keys, namespaces);
    }

    private static <K, N> byte[] key(
            int prefixBytes, int keyGroup, K key, N namespace, Part<K> keys, Part<N> namespaces)
            throws IOException {
        ByteSlice slice = new ByteSlice();
        new CompositeKeyWriter<>(prefixBytes, keys.serializer(), namespaces.serializer())
                .write(keyGroup, key, namespace, slice);
        return slice.toArray();
    }

    private static byte[] mapKey() throws IOException {
        ByteSlice slice = new ByteSlice();
        new CompositeKeyWriter<>(1, StringSerializer.INSTANCE, VoidNamespaceSerializer.INSTANCE)
                .write(7, "ab", VoidNamespace.INSTANCE, -2, IntSerializer.INSTANCE, slice);
        return slice.toArray();
    }
}
