package io.acaciafs.kv.testkit;

import io.acaciafs.kv.Store;

/** What the chapters of the kit share. */
interface Fixture {
  /** The store under test, open. */
  Store store();

  /** Makes {@code reopened} the store under test, which the kit closes. */
  void use(Store reopened);

  Store reopen(Store old) throws Exception;

  AfterCrash crash(CrashWorkload workload) throws Exception;

  /**
   * How many commits others race with, one after the other. An engine whose commits take long makes
   * fewer: while one lasts, those that race with it look a thousand times.
   */
  default int racedCommits() {
    return 2_000;
  }
}
