package io.acaciafs.blocks.datanode;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a NameNode has under way as the owner of a DataNode. The DataNode goes to another NameNode
 * when nothing of it can take effect any more. Safe for use by many threads.
 */
final class OwnersWork {
  private boolean isOpen;
  private long underWay;
  private @Nullable CompletableFuture<Void> ended;
  private @Nullable CompletableFuture<Void> settled;

  /** This NameNode owns the DataNode from now on. */
  synchronized void open() {
    isOpen = true;
  }

  synchronized boolean isOpen() {
    return isOpen;
  }

  /**
   * One more.
   *
   * @return whether it may begin: {@link #end} must follow
   */
  synchronized boolean begin() {
    underWay += isOpen ? 1 : 0;
    return isOpen;
  }

  void end() {
    CompletableFuture<Void> last;
    synchronized (this) {
      underWay--;
      last = underWay == 0 ? ended : null;
    }
    if (last != null) {
      last.complete(null);
    }
  }

  /**
   * From now on nothing begins.
   *
   * @param settle waits, when all has ended, for what failed and may be on its way to the store
   */
  void close(Supplier<CompletableFuture<Void>> settle) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    synchronized (this) {
      if (!isOpen) {
        return;
      }
      isOpen = false;
      ended = end;
      if (underWay == 0) {
        end.complete(null);
      }
      settled = end.thenCompose(nothing -> settle.get());
    }
  }

  /** Whether it was closed, and nothing can take effect any more. */
  synchronized boolean isSettled() {
    return !isOpen && settled != null && settled.isDone() && !settled.isCompletedExceptionally();
  }
}
