package io.acaciafs.kv.rocksdb.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AbsenceFilterTest {
  private static final long MUCH = 1 << 30;

  @Test
  void containsAllThatWasAddedWhileItGrows() {
    AbsenceFilter filter = new AbsenceFilter(new AtomicLong(MUCH));
    new Random(1).longs(100_000).forEach(filter::add);
    assertThat(new Random(1).longs(100_000)).allMatch(filter::mayContain);
    assertThat(filter.isFull()).isFalse();
  }

  @Test
  void knowsNearlyAllThatWasNotAdded() {
    AbsenceFilter filter = new AbsenceFilter(new AtomicLong(MUCH));
    new Random(1).longs(50_000).forEach(filter::add);
    assertThat(new Random(2).longs(50_000).filter(filter::mayContain).count()).isLessThan(5_000);
  }

  @Test
  void isFullWhereItMayNotGrow() {
    AtomicLong bytesLeft = new AtomicLong(1);
    AbsenceFilter filter = new AbsenceFilter(bytesLeft);
    new Random(1).longs(10_000).forEach(filter::add);
    assertThat(filter.isFull()).isTrue();
    assertThat(new Random(1).longs(10_000)).allMatch(filter::mayContain);
    assertThat(bytesLeft).hasNegativeValue();
    filter.release();
    assertThat(bytesLeft).hasValue(1);
  }
}
