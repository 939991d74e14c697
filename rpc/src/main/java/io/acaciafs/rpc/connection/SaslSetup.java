package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.RpcFailure;
import io.acaciafs.rpc.sasl.Authentication;
import io.acaciafs.rpc.sasl.SaslNegotiation;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import javax.security.sasl.SaslServer;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Has one client prove who it is. For the network thread. A token is looked up without a thread
 * that waits; what else may take long, as Kerberos, is judged by a worker. The connection processes
 * nothing meanwhile.
 *
 * <p>Source: {@code Server.Connection.saslProcess}.
 */
final class SaslSetup {
  static final int CALL_ID = -33;

  private final ConnectionHost host;
  private final ConnectionChannel channel;
  private final Lifecycle lifecycle;
  private final Outbound outbound;
  private final Owner owner;
  private @Nullable SaslNegotiation negotiation;
  private @Nullable UserGroupInformation user;
  private @Nullable String quality;

  /** The connection. */
  interface Owner {
    /** A message was answered; the client's next one may be here already. */
    void authenticated();

    /** All requests and replies from now on are wrapped. */
    void protectBy(SaslServer protection);
  }

  SaslSetup(
      ConnectionHost host,
      ConnectionChannel channel,
      Lifecycle lifecycle,
      Outbound outbound,
      Owner owner) {
    this.host = host;
    this.channel = channel;
    this.lifecycle = lifecycle;
    this.outbound = outbound;
    this.owner = owner;
  }

  /** Whether the client has proved who it is. */
  boolean isEstablished() {
    return user != null;
  }

  /** Who the client has proved to be. */
  UserGroupInformation user() {
    return Objects.requireNonNull(user, "the client is known");
  }

  /** How the connection is protected; null unless the client has proved who it is. */
  @Nullable String quality() {
    return quality;
  }

  /** Answers a message. */
  void answer(RpcRequestHeaderProto header, RpcSaslProto message) {
    SaslNegotiation begun = negotiation;
    if (begun == null) {
      Authentication required =
          Objects.requireNonNull(host.options().authentication(), "clients authenticate");
      begun = required.begin(channel.connectedAddress(), channel.serverPort());
    }
    negotiation = null; // a worker may have it
    SaslNegotiation judging = begun;
    lifecycle.enter(Phase.AUTHENTICATION);
    CompletableFuture<?> prepared = judging.prepare(message, channel::execute);
    if (prepared.isDone()) {
      judge(header, judging, message);
    } else {
      prepared.whenComplete(
          (known, failure) -> channel.execute(() -> judge(header, judging, message)));
    }
  }

  private void judge(RpcRequestHeaderProto header, SaslNegotiation judging, RpcSaslProto message) {
    if (channel.isClosed()) { // while a token was looked up
      judging.dispose();
    } else if (judging.mayWait(message)) {
      judgeOnWorker(header, judging, message);
    } else {
      judged(header, judging, Verdict.of(judging, message));
    }
  }

  private void judgeOnWorker(
      RpcRequestHeaderProto header, SaslNegotiation judging, RpcSaslProto message) {
    try {
      host.workers()
          .execute(
              false,
              () -> {
                if (channel.isClosed()) { // while it waited for a worker
                  judging.dispose();
                  return;
                }
                Verdict verdict = Verdict.of(judging, message);
                channel.execute(() -> judged(header, judging, verdict));
              });
    } catch (RejectedExecutionException e) {
      judging.dispose();
      lifecycle.fail(CallIds.of(header), RpcFailure.tooBusy(RpcStatusProto.FATAL));
    }
  }

  /** What became of a message: a reply, a failure, or neither. */
  private record Verdict(@Nullable RpcSaslProto reply, @Nullable RpcFailure failure) {
    static Verdict of(SaslNegotiation negotiation, RpcSaslProto message) {
      try {
        return new Verdict(negotiation.answer(message), null);
      } catch (IOException e) {
        return new Verdict(
            null,
            new RpcFailure(
                RpcStatusProto.FATAL,
                RpcErrorCodeProto.FATAL_UNAUTHORIZED,
                e.getClass().getName(),
                String.valueOf(e.getMessage())));
      }
    }
  }

  private void judged(RpcRequestHeaderProto header, SaslNegotiation judged, Verdict verdict) {
    if (lifecycle.phase() != Phase.AUTHENTICATION || channel.isClosed()) {
      judged.dispose();
      return;
    }
    if (verdict.failure() != null) {
      judged.dispose();
      lifecycle.fail(CallIds.of(header), verdict.failure());
      return;
    }
    if (verdict.reply() != null) {
      outbound.send(CallIds.outOfBand(CALL_ID), verdict.reply());
    }
    if (judged.isSimple()) {
      lifecycle.enter(Phase.CONTEXT);
    } else if (judged.isEstablished()) {
      establish(judged);
    } else {
      negotiation = judged;
      lifecycle.enter(Phase.NEGOTIATION);
    }
    owner.authenticated();
  }

  private void establish(SaslNegotiation complete) {
    user = complete.user();
    quality = complete.quality();
    SaslServer protection = complete.protection();
    if (protection != null) {
      negotiation = complete; // it ends with the connection
      owner.protectBy(protection);
    }
    lifecycle.enter(Phase.CONTEXT);
  }

  /** The connection has ended. */
  void close() {
    if (negotiation != null) {
      negotiation.dispose();
      negotiation = null;
    }
  }
}
