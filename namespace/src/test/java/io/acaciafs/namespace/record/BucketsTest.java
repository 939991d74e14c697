package io.acaciafs.namespace.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.StoreException;
import io.acaciafs.namespace.proto.BucketsRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BucketsTest {
  private static byte[] name(int i) {
    return ("part-r-" + i).getBytes(StandardCharsets.UTF_8);
  }

  /** Others that read the store compute the same. */
  @Test
  void theHashIsTheOneThatTheFormatSays() {
    assertThat(Buckets.hash(new byte[0])).isEqualTo(0xefd0);
    assertThat(Buckets.hash("a".getBytes(StandardCharsets.UTF_8))).isEqualTo(0x82a2);
    assertThat(Buckets.hash("part-r-00000".getBytes(StandardCharsets.UTF_8))).isEqualTo(0xd2f9);
  }

  @Test
  void namesSpreadEvenly() {
    Buckets buckets = Buckets.uniform(64);
    int[] sizes = new int[1 << 16];
    int names = 64_000;
    for (int i = 0; i < names; i++) {
      sizes[buckets.of(name(i))]++;
    }
    assertThat(Arrays.stream(buckets.numbers()).map(bucket -> sizes[bucket]))
        .allSatisfy(size -> assertThat(size).isBetween(850, 1150));
  }

  @Test
  void aNameStaysOrGoesToTheNewBucketWhenOneIsDivided() {
    Random random = new Random(1);
    Buckets buckets = Buckets.ONE;
    for (int divisions = 0; divisions < 300; divisions++) {
      int[] numbers = buckets.numbers();
      int chosen = numbers[random.nextInt(numbers.length)];
      if (!buckets.isDivisible(chosen)) {
        continue;
      }
      Buckets divided = buckets.divide(chosen);
      assertThat(divided.count()).isEqualTo(buckets.count() + 1);
      assertThat(divided.emptying()).isEqualTo(chosen);
      for (int i = 0; i < 200; i++) {
        byte[] name = name(random.nextInt());
        assertThat(divided.formerOf(name)).isEqualTo(buckets.of(name));
        assertThat(divided.of(name))
            .isIn(buckets.of(name), buckets.of(name) == chosen ? divided.filling() : chosen)
            .isIn(IntStream.of(divided.numbers()).boxed().toArray());
        assertThat(divided.everOf(name)).contains(0, buckets.of(name), divided.of(name));
      }
      assertThat(Buckets.decode(divided.encode())).isEqualTo(divided);
      buckets = divided.filled();
      assertThat(Buckets.decode(buckets.encode())).isEqualTo(buckets);
    }
    assertThat(buckets.count()).isGreaterThan(200);
  }

  @Test
  void dividingAllGivesTheSameAsBeginningWithTwiceAsMany() {
    Buckets buckets = Buckets.uniform(8);
    for (int bucket : buckets.numbers()) {
      buckets = buckets.divide(bucket).filled();
    }
    assertThat(buckets).isEqualTo(Buckets.uniform(16));
    assertThat(buckets.encode()).isEqualTo(Buckets.uniform(16).encode());
  }

  @Test
  void whileOneIsDividedNoneIs() {
    assertThat(Buckets.ONE.divide(0).isDivisible(0)).isFalse();
    assertThat(Buckets.ONE.divide(0).filled().isDivisible(0)).isTrue();
    assertThat(Buckets.ONE.isDivisible(7)).isFalse();
    assertThat(Buckets.uniform(Buckets.MOST).isDivisible(0)).isFalse();
    assertThatThrownBy(() -> Buckets.uniform(3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Buckets.uniform(2 * Buckets.MOST))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void bucketsOfADirectoryLieFarFromEachOtherInTheStore() {
    Locator directory = Locator.spread(17);
    byte[] name = name(1);
    int[] firstBytes =
        Arrays.stream(Buckets.uniform(4).numbers())
            .map(bucket -> NamespaceKeys.entry(directory, bucket, name).bytes()[0] >> 6 & 3)
            .sorted()
            .toArray();
    assertThat(firstBytes).containsExactly(0, 1, 2, 3);
    for (int bucket : Buckets.uniform(1024).numbers()) {
      assertThat(NamespaceKeys.directoryOf(NamespaceKeys.entry(directory, bucket, name)))
          .isEqualTo(directory);
      assertThat(NamespaceKeys.bucketOf(NamespaceKeys.counters(directory, bucket)))
          .isEqualTo(bucket);
    }
  }

  @Test
  void whatCannotBeBucketsIsRefused() {
    BucketsRecord tooMany = BucketsRecord.newBuilder().setDepth(11).build();
    BucketsRecord notFromTheBegin = BucketsRecord.newBuilder().addStarts(5).build();
    BucketsRecord notInOrder =
        BucketsRecord.newBuilder().addStarts(0).addStarts(9).addStarts(9).build();
    BucketsRecord fillingNone =
        BucketsRecord.newBuilder().addStarts(0).addStarts(9).setFilling(8).build();
    for (BucketsRecord row : List.of(tooMany, notFromTheBegin, notInOrder, fillingNone)) {
      assertThatThrownBy(() -> Buckets.decode(row.toByteArray()))
          .isInstanceOf(StoreException.class);
    }
  }
}
