package io.acaciafs.namespace;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.memory.Faults;

/** The same where answers are in the partitions of what was asked for. */
class RetryEntriesWhereSpreadTest extends RetryEntriesTest {
  @Override
  Store newStore() {
    return NamespaceFixture.sharedStore(Faults.none());
  }
}
