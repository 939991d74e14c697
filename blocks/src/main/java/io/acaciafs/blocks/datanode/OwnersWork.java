package io.acaciafs.blocks.datanode;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a NameNode has under way as the owner of a DataNode. The DataNode goes to another NameNode
 * when nothing of it can take effect any more. Closed at first. Safe for use by many threads.
 */
final class OwnersWork {
  /**
   * The end of what had begun.
   *
   * @param all completes with the last of it
   * @param settled completes when nothing of it can take effect any more
   */
  private record End(CompletableFuture<Void> all, CompletableFuture<Void> settled) {
    static final End OF_NOTHING =
        new End(CompletableFuture.completedFuture(null), CompletableFuture.completedFuture(null));
  }

  private long underWay;

  /** Null: it is open. */
  private @Nullable End end = End.OF_NOTHING;

  /** This NameNode owns the DataNode from now on. */
  synchronized void open() {
    end = null;
  }

  synchronized boolean isOpen() {
    return end == null;
  }

  /**
   * One more.
   *
   * @return whether it may begin: {@link #end} must follow
   */
  synchronized boolean begin() {
    if (end != null) {
      return false;
    }
    underWay++;
    return true;
  }

  void end() {
    End last;
    synchronized (this) {
      underWay--;
      last = underWay == 0 ? end : null;
    }
    if (last != null) {
      last.all().complete(null);
    }
  }

  /**
   * From now on nothing begins.
   *
   * @param settle waits, when all has ended, for what failed and may be on its way to the store
   */
  void close(Supplier<CompletableFuture<Void>> settle) {
    CompletableFuture<Void> all = new CompletableFuture<>();
    boolean isIdle;
    synchronized (this) {
      if (end != null) {
        return;
      }
      end = new End(all, all.thenCompose(nothing -> settle.get()));
      isIdle = underWay == 0;
    }
    if (isIdle) { // without the lock, as the store is asked then
      all.complete(null);
    }
  }

  /** Whether it is closed, and nothing can take effect any more. */
  synchronized boolean isSettled() {
    return end != null && end.settled().isDone() && !end.settled().isCompletedExceptionally();
  }
}
