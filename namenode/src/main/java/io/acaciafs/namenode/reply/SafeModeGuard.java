package io.acaciafs.namenode.reply;

import io.acaciafs.blocks.safemode.SafeMode;
import io.acaciafs.rpc.protocol.Admission;
import io.acaciafs.rpc.protocol.RpcCall;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Refuses calls that change something while safe mode is on, in HDFS's words, and knows which such
 * calls are under way: entering safe mode waits for these, so that afterwards nothing changes. Safe
 * for use by many threads.
 */
public final class SafeModeGuard implements Admission {
  /** What a client is told rather than that safe mode is on. Thread-safe. */
  @FunctionalInterface
  public interface EarlierCheck {
    /**
     * Checks a call that safe mode is about to refuse.
     *
     * @throws AccessControlException if this user may not make the call at all
     */
    void check(RpcCall call, Message request) throws AccessControlException;
  }

  private final SafeMode safeMode;
  private final String hostName;
  private final EarlierCheck checksBefore;
  private final AtomicInteger underWay = new AtomicInteger();
  private final ConcurrentLinkedQueue<CompletableFuture<Void>> waiters =
      new ConcurrentLinkedQueue<>();

  /**
   * @param hostName of this NameNode, for the texts
   */
  public SafeModeGuard(SafeMode safeMode, String hostName, EarlierCheck checksBefore) {
    this.safeMode = safeMode;
    this.hostName = hostName;
    this.checksBefore = checksBefore;
  }

  public SafeMode safeMode() {
    return safeMode;
  }

  @Override
  public boolean appliesTo(String method) {
    return SafeModeTexts.methods().contains(method);
  }

  @Override
  public void admit(RpcCall call, Message request)
      throws SafeModeException, AccessControlException {
    if (!safeMode.isOn()) {
      underWay.incrementAndGet();
      if (!safeMode.isOn()) {
        return; // switching it on from now on waits for this call
      }
      done(call);
    }
    checksBefore.check(call, request);
    throw refusal(SafeModeTexts.of(call.method(), request));
  }

  @Override
  public void done(RpcCall call) {
    if (underWay.decrementAndGet() == 0) {
      for (CompletableFuture<Void> waiter; (waiter = waiters.poll()) != null; ) {
        waiter.complete(null);
      }
    }
  }

  public SafeModeException refusal(String what) {
    return new SafeModeException(
        what + ". Name node is in safe mode.\n" + safeMode.tip() + " NamenodeHostName:" + hostName);
  }

  /** Completes when no call that changes something has been under way at some moment from now. */
  public CompletableFuture<Void> idle() {
    CompletableFuture<Void> idle = new CompletableFuture<>();
    waiters.add(idle);
    if (underWay.get() == 0) {
      idle.complete(null);
    }
    return idle;
  }
}
