package io.acaciafs.namespace.testkit;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.testkit.LateStore;
import io.acaciafs.namespace.lease.DirectoryChanges;
import io.acaciafs.namespace.lease.DirectoryLeases;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * What several processes on a store tell each other, without a network. One of them can be cut off:
 * then it is told nothing, and its lease is over.
 */
public final class TestCompany {
  private static final Key NO_ROW = new Key(Table.ofSingleRows("members"), new byte[] {1});

  private final List<DirectoryLeases> leases;
  private final List<Integer> cutOff = new CopyOnWriteArrayList<>();
  private final AtomicLong changes = new AtomicLong();
  private final Map<Integer, LateStore> stores = new ConcurrentHashMap<>();
  private volatile boolean areExcluded;

  public TestCompany(int processes) {
    leases =
        IntStream.range(0, processes)
            .mapToObj(i -> new DirectoryLeases(() -> !cutOff.contains(i)))
            .toList();
    leases.forEach(DirectoryLeases::begin);
  }

  /** The store as a process reaches it: what it commits may come late. */
  Store storeOf(int process, Store store) {
    LateStore late = new LateStore(store);
    stores.put(process, late);
    return late;
  }

  public LateStore late(int process) {
    return stores.get(process);
  }

  DirectoryLeases leases(int process) {
    return leases.get(process);
  }

  /** It stands still; the others have waited for the end of its lease, and fenced it off. */
  public void cutOff(int process) {
    cutOff.add(process);
    stores.get(process).fenceOff();
  }

  /** How many changes were announced so far. */
  public long announced() {
    return changes.get();
  }

  /** The others have taken all of these for dead. */
  public void excludeAll() {
    areExcluded = true;
  }

  DirectoryChanges changes() {
    return new DirectoryChanges() {
      @Override
      public CompletableFuture<Announced> announce(Collection<Long> ids) {
        return tell(ids);
      }

      @Override
      public void guard(Transaction transaction) {
        if (areExcluded) {
          transaction.guardExists(NO_ROW);
        }
      }
    };
  }

  private CompletableFuture<DirectoryChanges.Announced> tell(Collection<Long> ids) {
    String change = "change-" + changes.incrementAndGet();
    List<DirectoryLeases> told = new ArrayList<>();
    List<CompletableFuture<Void>> confirmed = new ArrayList<>();
    for (int i = 0; i < leases.size(); i++) {
      if (!cutOff.contains(i)) {
        confirmed.add(leases.get(i).revoke(change, ids));
        told.add(leases.get(i));
      }
    }
    DirectoryChanges.Announced announced =
        new DirectoryChanges.Announced() {
          @Override
          public void end() {
            told.forEach(leases -> leases.allow(change));
          }

          @Override
          public void leaveOpen() {
            // nobody trusts these any more
          }
        };
    return CompletableFuture.allOf(confirmed.toArray(CompletableFuture[]::new))
        .thenApply(nothing -> announced);
  }
}
