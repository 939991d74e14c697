package io.acaciafs.namespace;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * What several processes on a store tell each other, without a network. One of them can be cut off:
 * then it is told nothing, and its lease is over.
 */
public final class TestCompany {
  private static final Key NO_ROW = new Key(Table.ofSingleRows("members"), new byte[] {1});

  private final List<DirectoryTrust> trusts;
  private final List<Integer> cutOff = new CopyOnWriteArrayList<>();
  private final AtomicLong changes = new AtomicLong();
  private volatile boolean areExcluded;

  public TestCompany(int processes) {
    trusts =
        IntStream.range(0, processes)
            .mapToObj(i -> new DirectoryTrust(() -> !cutOff.contains(i)))
            .toList();
    trusts.forEach(DirectoryTrust::begin);
  }

  DirectoryTrust trust(int process) {
    return trusts.get(process);
  }

  /** It stands still, and the others have waited for the end of its lease. */
  void cutOff(int process) {
    cutOff.add(process);
  }

  /** How many changes were announced so far. */
  long announced() {
    return changes.get();
  }

  /** The others have taken all of these for dead. */
  void excludeAll() {
    areExcluded = true;
  }

  DirectoryChanges changes() {
    return new DirectoryChanges() {
      @Override
      public CompletableFuture<Announced> announce(Collection<Long> ids) {
        return CompletableFuture.completedFuture(tell(ids));
      }

      @Override
      public void guard(Transaction transaction) {
        if (areExcluded) {
          transaction.require(NO_ROW);
        }
      }
    };
  }

  private DirectoryChanges.Announced tell(Collection<Long> ids) {
    String change = "change-" + changes.incrementAndGet();
    List<DirectoryTrust> told = new ArrayList<>();
    for (int i = 0; i < trusts.size(); i++) {
      if (!cutOff.contains(i)) {
        trusts.get(i).block(change, ids);
        told.add(trusts.get(i));
      }
    }
    return new DirectoryChanges.Announced() {
      @Override
      public void end() {
        told.forEach(trust -> trust.unblock(change));
      }

      @Override
      public void leaveOpen() {
        // nobody trusts these any more
      }
    };
  }
}
