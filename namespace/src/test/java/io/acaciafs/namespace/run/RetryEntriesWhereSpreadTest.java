package io.acaciafs.namespace.run;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.namespace.testkit.NamespaceFixture;

/** The same where answers are in the partitions of what was asked for. */
class RetryEntriesWhereSpreadTest extends RetryEntriesTest {
  @Override
  Store newStore() {
    return NamespaceFixture.sharedStore(Faults.none());
  }
}
