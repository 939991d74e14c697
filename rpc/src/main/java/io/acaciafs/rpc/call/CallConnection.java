package io.acaciafs.rpc.call;

import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.RpcFailure;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * The connection of calls: where their replies go, and what their methods may know of it. Methods
 * are for the connection's network thread unless they say "any thread".
 */
public interface CallConnection {
  InetSocketAddress clientAddress();

  /** As {@code RpcCall} says. Any thread that runs a call. */
  @Nullable String auxiliaryPortQop();

  /** The protocol that the client named when it connected, or null. */
  @Nullable String protocolName();

  /** Whether the client may call that protocol alone. */
  boolean isForOneProtocol();

  /** Whether the client is disconnected, so that no reply is of use. Any thread. */
  boolean isGone();

  /** Whether the connection is on a thread for isolated users. Any thread that runs a call. */
  boolean isIsolated();

  /** Whether this is the connection's network thread while it processes requests. Any thread. */
  boolean isProcessingHere();

  /** Whether the client reads its replies without delay. */
  boolean takesReplies();

  /**
   * A call is about to run.
   *
   * @param requestBytes the memory that the call holds until it ends
   */
  void began(int requestBytes, long startedNanos);

  /**
   * Ends a call. Any thread.
   *
   * @param requestBytes the memory that the call held
   * @param message the reply, or null if the call failed
   * @param failure null if the call succeeded
   */
  void end(CallIds ids, int requestBytes, @Nullable Message message, @Nullable RpcFailure failure);

  /**
   * Ends a call with an encoded reply, while the connection processes its request.
   *
   * @param requestBytes the memory that the call held
   * @param bytes the message from {@code offset} to their end
   */
  void endEncoded(CallIds ids, int requestBytes, byte[] bytes, int offset);

  /** Sends a failure to a request that did not become a call. */
  void refuse(CallIds ids, RpcFailure failure);

  /** Runs a task when the replies so far are sent; of several tasks only the last one. */
  void afterFlush(Runnable task);

  /**
   * Runs tasks on the network thread and charges the user for them, and for the time since this was
   * called or the last task ended. It rejects tasks when the client is gone. Any thread.
   */
  Executor chargingExecutor();

  /** The user's account, or that of the user in this caller context, pays from now on. */
  void chargeContext(UserGroupInformation user, String callerContext);

  /** The server's clock, for {@link #charge}. Any thread. */
  long nanoTime();

  /** Charges the user for the time since {@code beginNanos}. Any thread. */
  void charge(long beginNanos);
}
