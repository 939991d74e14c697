package io.acaciafs.kv.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Concurrent transactions are strictly serializable. */
interface HistoryRules extends Fixture {
  @Test
  default void concurrentTransactionsAreStrictlySerializable() throws Exception {
    for (long seed = 1; seed <= 3; seed++) {
      History history = HistoryWorkload.run(store(), seed);
      assertThat(history.violation()).as("seed %s", seed).isNull();
      assertThat(history.committed()).isGreaterThan(100);
    }
  }
}
