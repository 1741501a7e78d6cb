/*
 * Copyright The Strata Authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.strata.flink.format.key;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.strata.flink.format.testing.GoldenFile;
import io.strata.flink.format.testing.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import net.jpountz.xxhash.XXHashFactory;
import org.junit.jupiter.api.Test;

class OrderKeysTest {

    @Test
    void goldenFile() throws IOException {
        GoldenFile golden = new GoldenFile("order-key.hex", "Order keys, big-endian");
        golden.add("seed", bytes(OrderKeys.SEED));
        for (String text : new String[] {"", "a", "strata", "x".repeat(31), "x".repeat(100)}) {
            byte[] key = text.getBytes(US_ASCII);
            int group = OrderKeys.groupHash(key, 0, key.length);
            golden.add("flat of '" + text + "'", bytes(OrderKeys.flat(key, 0, key.length)))
                    .add(
                            "map '" + text + "', user key 'u'",
                            bytes(OrderKeys.grouped(group, new byte[] {'u'}, 0, 1)))
                    .add(
                            "map '" + text + "', user key 'longer'",
                            bytes(OrderKeys.grouped(group, "longer".getBytes(US_ASCII), 0, 6)));
        }
        golden.verify();
    }

    @Test
    void hashIsXxHash64() {
        // The reference implementation's own vector for no bytes and seed 0 pins the algorithm; the
        // golden file pins the seed.
        assertThat(XXHashFactory.fastestJavaInstance().hash64().hash(new byte[0], 0, 0, 0))
                .isEqualTo(0xEF46_DB37_51D8_E999L);
    }

    @Test
    void halvesOfAMapsOrderKey() {
        Seed seed = Seed.orElse(2);
        Random random = seed.random();
        for (int i = 0; i < 1_000; i++) {
            byte[] bytes = new byte[40];
            random.nextBytes(bytes);
            int group = OrderKeys.groupHash(bytes, 3, 20);
            long orderKey = OrderKeys.grouped(group, bytes, 23, 17);
            assertThat(group).as("%s", seed).isEqualTo((int) (OrderKeys.flat(bytes, 3, 20) >>> 32));
            assertThat((int) orderKey)
                    .as("%s", seed)
                    .isEqualTo((int) (OrderKeys.flat(bytes, 23, 17) >>> 32));
            assertThat(OrderKeys.groupHashOf(orderKey)).as("%s", seed).isEqualTo(group);
            assertThat(OrderKeys.groupStart(group))
                    .as("%s", seed)
                    .isEqualTo(orderKey & 0xffff_ffff_0000_0000L);
        }
    }

    @Test
    void shortUserKeysKeepTheirOrder() {
        byte[] user = new byte[Integer.BYTES];
        long before = OrderKeys.groupStart(7) - 1;
        for (int i = 0; i < 5_000; i++) {
            ByteBuffer.wrap(user).putInt(i);
            long orderKey = OrderKeys.grouped(7, user, 0, user.length);
            assertThat(orderKey).isEqualTo(OrderKeys.groupStart(7) | i).isGreaterThan(before);
            before = orderKey;
        }
        assertThat(OrderKeys.grouped(7, new byte[] {1, 2}, 0, 2))
                .isEqualTo(OrderKeys.groupStart(7) | 0x0102_0000L);
    }

    private static byte[] bytes(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }
}
