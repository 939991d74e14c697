package io.acaciafs.namespace.lease;

import io.acaciafs.kv.Transaction;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/** Tells all processes that run operations on the store which directories are to change. */
public interface DirectoryChanges {
  /**
   * Has all of them {@linkplain DirectoryLeases#revoke revoke the leases on} these directories,
   * this process among them.
   *
   * @return completes when each has confirmed it, or can trust nothing any more as its lease is
   *     over; fails when one neither confirms nor ends. Does not complete on a thread that has to
   *     take part.
   */
  CompletableFuture<Announced> announce(Collection<Long> directoryIds);

  /**
   * Has a change fail if the others have come to take this process for dead before it is committed:
   * then it was not announced to those that have joined since.
   */
  void guard(Transaction transaction);

  /** A change that everybody knows of. One of the two is called, once. */
  interface Announced {
    /** It is committed, or certainly will not be: the directories may be trusted again. */
    void end();

    /** It may be committed still, so nobody may trust these directories any more. */
    void leaveOpen();
  }
}
