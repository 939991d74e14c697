package io.acaciafs.kv.raft;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.engine.Checkpoints;
import io.acaciafs.kv.raft.compare.MemberViews;
import io.acaciafs.kv.raft.copy.IncomingCopy;
import io.acaciafs.kv.raft.log.AppendOrder;
import io.acaciafs.kv.raft.log.AppliedIndexes;
import io.acaciafs.kv.raft.log.AppliedMark;
import io.acaciafs.kv.raft.log.BatchPieces;
import io.acaciafs.kv.raft.log.RaftEntry;
import io.acaciafs.kv.raft.log.RaftLog;
import io.acaciafs.kv.rocksdb.RocksDbReplica;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.kv.rocksdb.log.CommitLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;

/**
 * The store of this member. Batches of other leaders go from Ratis's log into it. In a term in
 * which this member leads, the store shows rows before a majority has taken them; at the end of the
 * term those that none has taken are gone, and what comes of it through the log comes as from any
 * other leader.
 *
 * <p>One thread begins and ends terms, one applies entries; a third one may install a copy. They
 * wait for each other: the one that applies also for the end of a lost term.
 */
final class MemberStore {
  private final AppliedIndexes applied;
  private final RaftLog log;
  private final AppendOrder order;
  private final MemberViews views;
  private final Path folder;
  private final Supplier<RocksDbReplica> opener;

  /** Another one after a copy was installed. Changed under the lock. */
  private volatile RocksDbReplica replica;

  private final Store appliedStore = RocksDbReplica.applied(() -> replica);

  /** Held while an entry is applied, and while a term begins or ends. */
  private final Object lock = new Object();

  /** The term in which this member's store leads; 0: it does not. Under the lock. */
  private long term;

  /** The store of a lost term has not ended. Under the lock. */
  private boolean ends;

  private boolean closed;

  /** Pieces of the batch that is not whole yet. Under the lock. */
  private final BatchPieces pieces = new BatchPieces();

  private volatile @Nullable RocksDbStore leading;

  /**
   * @param applied is told of every batch
   * @param log to which a term adds
   * @param order takes the entries of a term
   * @param views ends when a copy takes the store's place
   * @param opener opens the folder
   */
  MemberStore(
      Path folder,
      AppliedIndexes applied,
      RaftLog log,
      AppendOrder order,
      MemberViews views,
      Supplier<RocksDbReplica> opener) {
    this.folder = folder;
    this.applied = applied;
    this.log = log;
    this.order = order;
    this.views = views;
    this.opener = opener;
    this.replica = opener.get();
  }

  /** What was applied, for reads alone. */
  Store applied() {
    return appliedStore;
  }

  /** The store of the term in which this member leads; null: there is none. */
  @Nullable RocksDbStore leading() {
    return leading;
  }

  /** As {@link RocksDbReplica#checkpoint}. */
  void checkpoint(Path target, CommitLog.Snapshot ofLog) {
    replica.checkpoint(target, ofLog);
  }

  /** As {@link RocksDbReplica#checkpoints}. */
  Checkpoints checkpoints(Set<Table> tables, Supplier<CommitLog.Snapshot> ofLog) {
    return RocksDbReplica.checkpoints(() -> replica, tables, ofLog);
  }

  /**
   * The next entry is on a majority of members.
   *
   * @throws StoreException when batches before it are missing
   */
  void apply(RaftEntry entry, TermIndex at) {
    if (at.getIndex() <= applied.last().index()) {
      return; // of before the copy that was installed
    }
    if (entry.isEmpty() && !views.isExpected(entry.comparison())) {
      return;
    }
    synchronized (lock) {
      awaitEndOfLostTerm(entry);
      if (entry.isEmpty()) {
        views.mark(entry.comparison(), replica::view);
        return;
      }
      byte[] batch = pieces.add(entry);
      if (batch == null) {
        return;
      }
      if (entry.position() != applied.position() + 1) {
        throw new StoreException(
            "Batch "
                + entry.position()
                + " follows batch "
                + applied.position()
                + ": batches are missing");
      }
      AppliedMark mark = new AppliedMark(entry.position(), at.getTerm(), at.getIndex());
      if (entry.term() != term) {
        replica.apply(entry.position(), batch, 0, batch.length);
      }
      applied.applied(mark);
      if (entry.term() == term) {
        replica.durable(entry.position());
      }
    }
  }

  private void awaitEndOfLostTerm(RaftEntry entry) {
    while (ends || term != 0 && entry.term() != term) {
      try {
        lock.wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreException("Interrupted while a lost term ended", e);
      }
    }
  }

  /** This member leads, and has applied all that was before. */
  RocksDbStore begin(long newTerm) {
    synchronized (lock) {
      order.begin(newTerm, applied.position() + 1);
      log.begin(newTerm); // before the replica adds to it, which its flusher may do at once
      RocksDbStore begun = replica.lead();
      leading = begun;
      term = newTerm;
      return begun;
    }
  }

  /**
   * It leads no more. From now on no entry of the term is taken for the store's own.
   *
   * @param users have to be gone from the store before it ends
   */
  void end(Runnable users) {
    RocksDbStore ending = leading;
    if (ending == null) {
      return;
    }
    synchronized (lock) {
      term = 0;
      ends = true;
    }
    log.end();
    users.run();
    ending.close();
    leading = null;
    synchronized (lock) {
      replica.follow();
      ends = false;
      lock.notifyAll();
    }
  }

  /**
   * Puts a copy that was fetched in the place of this store.
   *
   * @return what the copy holds
   */
  AppliedMark install(IncomingCopy copy) throws IOException {
    synchronized (lock) {
      if (closed) {
        throw new IOException("This member ends");
      }
      boolean isNew = NewMember.isIn(folder);
      views.end();
      replica.close();
      copy.install();
      if (!isNew) {
        NewMember.remove(folder);
      }
      AppliedMark mark = AppliedMark.read(folder);
      applied.restart(mark);
      pieces.clear();
      replica = opener.get();
      return mark;
    }
  }

  /** No term leads, and no entry is applied any more. */
  void close() {
    synchronized (lock) {
      closed = true;
      views.end();
      replica.close();
    }
  }
}
