package io.acaciafs.rpc;

import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * What a method may know of a call besides its request. Immutable but for what is remarked; may be
 * kept and read by any thread.
 */
public interface RpcCall {
  /**
   * The effective user; {@code getRealUser()} is who speaks for him, or null. The same object for
   * all calls of a connection.
   */
  UserGroupInformation user();

  InetSocketAddress clientAddress();

  /** Unique for one client among the calls that it has not given up; -1 for one that has none. */
  int callId();

  /** What the client calls itself: 16 bytes, or none. The caller's own copy. */
  byte[] clientId();

  /** 0 for the first attempt, more for a repetition, -1 if the client does not say. */
  int retryCount();

  /** Whom the client works for, or null. */
  CallerContext callerContext();

  /** The protocol's name on the wire. */
  String protocol();

  String method();

  /** When the call's bytes were read, by {@link System#nanoTime()}. */
  long receivedNanos();

  /**
   * Whether its user is served apart from the others, as his calls cost much: then what takes long
   * should let other threads go now and then.
   */
  boolean isApart();

  /**
   * Runs what is left to do for the call on its network thread; null where the method runs on a
   * thread that may wait, or waits for nothing anyway. A method for which this is not null must not
   * wait, neither here nor there; one that has to fails with {@link MustWaitException}.
   */
  Executor networkThread();

  /**
   * Leaves something for the {@link CallListener} that is not in the reply. Before the call ends;
   * what is left last counts.
   */
  void remark(Object remark);
}
