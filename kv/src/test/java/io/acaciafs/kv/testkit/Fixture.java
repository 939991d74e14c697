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
}
