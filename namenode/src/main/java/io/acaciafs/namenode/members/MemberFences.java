package io.acaciafs.namenode.members;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.run.FailureText;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fences off members whose row is gone, so that nothing that they wrote can still take effect. The
 * row of an ended member stays until that is certain. For one thread at a time.
 */
final class MemberFences {
  private static final Logger LOG = LoggerFactory.getLogger(MemberFences.class);

  private final Store store;
  private final LeaseTimes times;
  private final Map<Key, CompletableFuture<Void>> fences = new HashMap<>();

  MemberFences(Store store, LeaseTimes times) {
    this.store = store;
    this.times = times;
  }

  /** Forgets all others. */
  void retain(Set<Key> keys) {
    fences.keySet().retainAll(keys);
  }

  /** Whether a member is fenced off; begins with it. */
  boolean isFencedOff(Member member) {
    Key ended = MemberRow.ended(member.number());
    CompletableFuture<Void> fence =
        fences.computeIfAbsent(
            ended, key -> store.session().fenceOff(MemberRow.key(member.number())));
    if (!fence.isDone()) {
      return false;
    }
    fences.remove(ended);
    if (fence.isCompletedExceptionally()) {
      LOG.warn("A NameNode that ended is not fenced off yet member={}", member);
      return false;
    }
    try {
      MemberTable.commit(
          store,
          times.leaseMs(),
          transaction -> {
            transaction.delete(ended);
            return null;
          });
    } catch (ConflictException e) {
      return false; // another member did the same
    }
    return true;
  }

  /**
   * Waits for those that have begun, for a moment at most.
   *
   * @return whether there are any
   */
  boolean await() {
    long endNs = times.nowNs() + times.renewalNs();
    for (CompletableFuture<Void> fence : fences.values()) {
      try {
        fence.get(Math.max(0, endNs - times.nowNs()), TimeUnit.NANOSECONDS);
      } catch (ExecutionException | TimeoutException e) {
        LOG.warn("A NameNode that ended is not fenced off yet reason={}", FailureText.of(e));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return !fences.isEmpty();
  }
}
