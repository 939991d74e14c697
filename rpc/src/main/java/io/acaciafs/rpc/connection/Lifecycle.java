package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.ReplyEncoder;
import io.acaciafs.rpc.codec.RpcFailure;
import io.acaciafs.rpc.sasl.Authentication;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The phase of one connection, and the ways in which it ends. For the network thread.
 *
 * <p>A refused client gets a reason before the connection closes. The server closes its direction
 * first and reads on for a while: if it closed with unread bytes, the kernel would reset the
 * connection and take the reply away from the client.
 */
final class Lifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

  /** How long a refused client may take to read the reason. */
  private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final ConnectionHost host;
  private final ConnectionChannel channel;
  private final UnreadBytes unread;
  private final Outbound outbound;
  private final Supplier<@Nullable UserGroupInformation> user;
  private final CompletableFuture<Void> drained = new CompletableFuture<>();
  private Phase phase = Phase.PREAMBLE;

  /**
   * @param user tells who the client has proved to be; null: nobody
   */
  Lifecycle(
      ConnectionHost host,
      ConnectionChannel channel,
      UnreadBytes unread,
      Outbound outbound,
      Supplier<@Nullable UserGroupInformation> user) {
    this.host = host;
    this.channel = channel;
    this.unread = unread;
    this.outbound = outbound;
    this.user = user;
  }

  Phase phase() {
    return phase;
  }

  /** The client has done what the phase before required. */
  void enter(Phase next) {
    phase = next;
  }

  /** Whether replies are of no use any more. */
  boolean isDeaf() {
    return phase == Phase.CLOSING || channel.isClosed();
  }

  // ---- The server closes ----

  /** Reads no more requests; calls in flight go on. */
  void beginDraining() {
    if (phase != Phase.CLOSING) {
      phase = Phase.DRAINING;
      unread.dropAll();
      channel.setReading(false);
    }
  }

  /** The last call in flight has ended. */
  void finishDraining() {
    outbound.finish().addListener(sent -> drained.complete(null));
  }

  /** Completes when the last reply is sent or the connection is closed. Any thread. */
  CompletableFuture<Void> drained() {
    return drained;
  }

  // ---- The client is refused ----

  /** Sends the client a fatal failure and closes. */
  void fail(CallIds ids, RpcFailure failure) {
    refuse(
        ReplyEncoder.failure(channel.allocator(), ids, ReplyEncoder.NO_STATE, failure),
        failure.errorMsg().lines().findFirst().orElse(""));
  }

  /**
   * Sends the client a last reply and closes.
   *
   * @param reason for the log
   */
  void refuse(ByteBuf reply, String reason) {
    if (phase == Phase.CLOSING) {
      reply.release();
      return;
    }
    host.refusals().refused(channel.clientAddress(), reason);
    if (phase != Phase.AUTHENTICATION) { // that one is written down already
      writeDown(reason);
    }
    host.metrics().connectionRefused();
    phase = Phase.CLOSING;
    unread.dropAll();
    channel.setReading(true);
    outbound.finishWith(reply).addListener(sent -> channel.closeOutput());
    channel.schedule(channel::close, LINGER_NANOS);
  }

  /** Closes without a reply, which the client would not understand or read. */
  void closeSilently(@Nullable String reason) {
    if (!channel.isClosed()) {
      host.refusals().closed(channel.clientAddress(), reason);
      writeDown(String.valueOf(reason));
      host.metrics().connectionRefused();
      phase = Phase.CLOSING;
      unread.dropAll();
      channel.close();
    }
  }

  private void writeDown(String reason) {
    Authentication authentication = host.options().authentication();
    if (authentication != null) {
      authentication.refused(channel.clientAddress(), user.get(), reason);
    }
  }

  // ---- Something broke ----

  /** The socket, or what the server did for the connection, has failed. */
  void broken(Throwable cause) {
    if (cause instanceof IOException) {
      LOG.debug("Connection broke: client={}", channel.clientAddress(), cause);
    } else {
      host.refusals().failed(channel.clientAddress(), cause);
    }
    channel.close();
  }

  /** The socket is closed. */
  void closed() {
    unread.dropAll();
    outbound.release();
    drained.complete(null);
  }
}
