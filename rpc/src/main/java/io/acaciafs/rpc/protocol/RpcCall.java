package io.acaciafs.rpc.protocol;

import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * What a method may know of a call besides its request. Immutable but for the attachment; may be
 * kept and read by any thread.
 */
public interface RpcCall {
  /** What {@link #stateId} is where the client has not told what it has seen; HDFS's too. */
  long NO_STATE = Long.MIN_VALUE;

  /**
   * The effective user; {@code getRealUser()} is the proxy user, or null. The same object for all
   * calls of a connection.
   */
  UserGroupInformation user();

  InetSocketAddress clientAddress();

  /**
   * How the client and the server agreed to protect the connection, in SASL's words (auth, auth-int
   * or auth-conf), where the client came to an auxiliary address; else null, and where clients
   * authenticate without SASL. The same for all calls of a connection. Source: {@code
   * Server.getAuxiliaryPortEstablishedQOP}.
   */
  default @Nullable String auxiliaryPortQop() {
    return null;
  }

  /** Unique for one client among the calls that it waits for; -1 for a call without an id. */
  int callId();

  /** The client's id: 16 bytes, or none. A copy. */
  byte[] clientId();

  /** 0 for the first attempt, more for a repetition, -1 if the client does not say. */
  int retryCount();

  /**
   * The last state of the servers' data that the client has seen, as replies told it; or {@link
   * #NO_STATE}.
   */
  default long stateId() {
    return NO_STATE;
  }

  /**
   * The reply to this call will rest on a state of another server, which may be later than this
   * server's own. Called before the call ends.
   */
  default void restsOn(long stateId) {
    // where the reply does not tell it
  }

  /** The context that the client sent with the call, or null. */
  @Nullable CallerContext callerContext();

  /** The protocol's name on the wire. */
  String protocol();

  String method();

  /** When the server read the call's bytes, by {@link System#nanoTime()}. */
  long receivedNanos();

  /**
   * Whether separate threads serve the call's user, because the user's calls cost much. A method
   * that takes long should yield to other threads now and then.
   */
  boolean isIsolated();

  /**
   * Runs the rest of the call on its network thread. Null if the method runs on a thread that may
   * wait, or never waits. If it is not null, the method must not wait, neither before it returns
   * nor in these tasks; it fails with {@link MustWaitException} if it has to.
   */
  @Nullable Executor networkThread();

  /**
   * Attaches a value for the {@link CallListener} that is not part of the reply. Called before the
   * call ends; the last value counts.
   */
  void attach(Object value);
}
