package io.acaciafs.namenode.process;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.run.TransactionRunner;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** Makes what runs transactions in this process. Stateless. */
public final class Transactions {
  private static final int RETRY_THREADS = 2;

  /** Where each read waits for the network. */
  private static final int WAITING_RETRY_THREADS = 32;

  private Transactions() {}

  /**
   * @param resources ends its threads
   */
  public static TransactionRunner newRunner(Store store, ResourceStack resources) {
    int threads = store.traits().localReads() ? RETRY_THREADS : WAITING_RETRY_THREADS;
    return new TransactionRunner(
        store,
        Threads.owned(resources, Threads.scheduler("transaction-retry", threads)),
        newRandom());
  }

  /** Safe for use by many threads: each draws from its own. */
  public static RandomGenerator newRandom() {
    return () -> ThreadLocalRandom.current().nextLong();
  }
}
