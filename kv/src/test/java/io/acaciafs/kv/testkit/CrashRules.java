package io.acaciafs.kv.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Table;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What a crash keeps. */
interface CrashRules extends Fixture {
  @Test
  default void aCrashLosesNoAcknowledgedCommitAndCutsNone() throws Exception {
    AfterCrash left = crash(new CrashWorkload());
    store().close();
    use(left.store());
    Set<Integer> first = numbers(Rows.PARTITIONED, 1);
    Set<Integer> parts = numbers(Rows.OTHER, 2);

    assertThat(left.acknowledged()).hasSizeGreaterThan(100);
    TreeSet<Integer> lost = new TreeSet<>(left.acknowledged());
    lost.removeAll(first);
    assertThat(lost).as("acknowledged and lost").isEmpty();
    assertThat(parts).as("the parts of each commit").isEqualTo(partsOf(first));
    Counters counter = Counters.decode(store().get(CrashWorkload.counter()));
    assertThat(counter.sum(0)).isEqualTo(first.size());
    assertThat(counter.maximum(0)).isEqualTo((long) Collections.max(first));
  }

  private static Set<Integer> partsOf(Set<Integer> commits) {
    Set<Integer> parts = new TreeSet<>();
    for (int commit : commits) {
      for (int part = 0; part < CrashWorkload.PARTS; part++) {
        parts.add(commit * CrashWorkload.PARTS + part);
      }
    }
    return parts;
  }

  private Set<Integer> numbers(Table table, int first) {
    List<Key> keys = Rows.keys(store(), KeyRange.ofPrefix(table, new byte[] {(byte) first}));
    return keys.stream()
        .map(key -> ByteBuffer.wrap(key.bytes(), 1, 4).getInt())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
