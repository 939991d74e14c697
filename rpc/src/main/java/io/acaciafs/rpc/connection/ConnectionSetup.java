package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.FatalRequestException;
import io.acaciafs.rpc.codec.Preamble;
import io.acaciafs.rpc.codec.RequestHeaders;
import io.acaciafs.rpc.codec.RpcFailure;
import io.acaciafs.rpc.limit.UserNames;
import io.acaciafs.rpc.options.ConnectionPolicy;
import io.acaciafs.rpc.sasl.Authentication;
import java.net.InetAddress;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import javax.security.sasl.SaslException;
import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.IpcConnectionContextProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.util.ProtoUtil;
import org.jspecify.annotations.Nullable;

/**
 * Sets up one connection: who the client is, and which protocol it wants to use. For the network
 * thread. Source: {@code Server.Connection.processRpcOutOfBandRequest}.
 *
 * <p>These messages are no calls; their call ids are negative. Each belongs to a {@link Phase}.
 * Authorization of a proxy user or of a protocol may need a slow lookup of groups: then a worker
 * does it, and the connection processes nothing meanwhile.
 */
final class ConnectionSetup {
  private static final int SASL_CALL_ID = -33;

  private final ConnectionHost host;
  private final ConnectionChannel channel;
  private final Lifecycle lifecycle;
  private final Outbound outbound;
  private final SaslSetup sasl;
  private final Consumer<UserGroupInformation> accepted;
  private @Nullable UserGroupInformation user;
  private @Nullable String protocolName;

  /**
   * @param sasl where clients have to prove who they are
   * @param accepted is told the user when the set-up is complete
   */
  ConnectionSetup(
      ConnectionHost host,
      ConnectionChannel channel,
      Lifecycle lifecycle,
      Outbound outbound,
      SaslSetup sasl,
      Consumer<UserGroupInformation> accepted) {
    this.host = host;
    this.channel = channel;
    this.lifecycle = lifecycle;
    this.outbound = outbound;
    this.sasl = sasl;
    this.accepted = accepted;
  }

  /** Whether calls may come. */
  boolean isComplete() {
    return user != null;
  }

  /** Who calls, once the set-up is complete. */
  UserGroupInformation user() {
    return Objects.requireNonNull(user, "the set-up is complete");
  }

  /** The user that the client has proved to be; null: none. */
  @Nullable UserGroupInformation provedUser() {
    return sasl.isEstablished() ? sasl.user() : null;
  }

  /** The protocol that the client named, or null. */
  @Nullable String protocolName() {
    return protocolName;
  }

  /** The first bytes have come: {@link Preamble#LENGTH_BYTES} of them. */
  void preamble(byte[] preamble) {
    Preamble.Verdict verdict = Preamble.judge(preamble, channel.allocator());
    if (verdict instanceof Preamble.Welcome welcome) {
      if (welcome.sasl()) {
        lifecycle.enter(Phase.NEGOTIATION);
      } else {
        beginSimple();
      }
    } else if (verdict instanceof Preamble.Refused refused) {
      lifecycle.refuse(refused.reply(), refused.reason());
    }
  }

  /** A client that just names its user. */
  private void beginSimple() {
    Authentication required = host.options().authentication();
    if (required == null || required.allowsSimple()) {
      lifecycle.enter(Phase.CONTEXT);
    } else {
      lifecycle.fail(
          CallIds.outOfBand(RpcConstants.AUTHORIZATION_FAILED_CALL_ID),
          new RpcFailure(
              RpcStatusProto.FATAL,
              RpcErrorCodeProto.FATAL_UNAUTHORIZED,
              AccessControlException.class.getName(),
              "SIMPLE authentication is not enabled." + required.available()));
    }
  }

  /** The connection has ended. */
  void close() {
    sasl.close();
  }

  /** A message that is no call. */
  void outOfBand(RpcRequestHeaderProto header, CodedInputStream in) throws FatalRequestException {
    switch (header.getCallId()) {
      case RpcConstants.PING_CALL_ID -> host.metrics().pinged();
      case RpcConstants.CONNECTION_CONTEXT_CALL_ID -> context(header, in);
      case SASL_CALL_ID -> negotiate(header, in);
      default ->
          throw new FatalRequestException(
              RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER,
              "Unknown out of band call #" + header.getCallId());
    }
  }

  /** Where no client needs a secret, the answer to every negotiation is success. */
  private void negotiate(RpcRequestHeaderProto header, CodedInputStream in)
      throws FatalRequestException {
    if (sasl.isEstablished()) {
      throw new FatalRequestException(
          RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER,
          SaslException.class,
          "Negotiation is already complete");
    }
    if (lifecycle.phase() != Phase.NEGOTIATION) {
      throw new FatalRequestException(
          RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER, "SASL protocol not requested by client");
    }
    RpcSaslProto message = RequestHeaders.parse(in, RpcSaslProto.parser(), "RpcSaslProto");
    SaslState state = message.getState();
    if (host.options().authentication() != null && state != SaslState.WRAP) {
      sasl.answer(header, message);
      return;
    }
    switch (state) {
      case NEGOTIATE, INITIATE -> {
        lifecycle.enter(Phase.CONTEXT);
        outbound.send(
            CallIds.outOfBand(SASL_CALL_ID),
            RpcSaslProto.newBuilder().setState(SaslState.SUCCESS).build());
      }
      case WRAP ->
          throw new FatalRequestException(
              RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER,
              SaslException.class,
              "Server is not wrapping data");
      default ->
          throw new FatalRequestException(
              RpcErrorCodeProto.FATAL_UNAUTHORIZED,
              SaslException.class,
              "Client sent unsupported state " + state);
    }
  }

  private void context(RpcRequestHeaderProto header, CodedInputStream in)
      throws FatalRequestException {
    if (lifecycle.phase() == Phase.NEGOTIATION) {
      throw new FatalRequestException(
          RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER,
          "Connection header sent during SASL negotiation");
    }
    if (lifecycle.phase() != Phase.CONTEXT) {
      throw new FatalRequestException(
          RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER, "Connection context already processed");
    }
    IpcConnectionContextProto context =
        RequestHeaders.parse(in, IpcConnectionContextProto.parser(), "IpcConnectionContextProto");
    checkProtocolName(context.getProtocol());
    protocolName = context.hasProtocol() ? context.getProtocol() : null;
    UserGroupInformation claimed = sasl.isEstablished() ? provedUser(context) : namedUser(context);
    if (mayWait(claimed)) {
      authorizeOnWorker(header, claimed);
    } else {
      lifecycle.enter(Phase.AUTHORIZATION);
      authorized(header, claimed, refusal(claimed));
    }
  }

  /** The connection keeps the name, so its length has a limit. */
  private static void checkProtocolName(String name) throws FatalRequestException {
    int bytes = UserNames.utf8Length(name);
    if (bytes > UserNames.MAX_BYTES) {
      throw new FatalRequestException(
          RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER,
          "The protocol's name is "
              + bytes
              + " bytes long, at most "
              + UserNames.MAX_BYTES
              + " are allowed");
    }
  }

  private void accept(UserGroupInformation claimed) {
    user = claimed;
    lifecycle.enter(Phase.CALLS);
    accepted.accept(claimed);
  }

  private static UserGroupInformation namedUser(IpcConnectionContextProto context)
      throws FatalRequestException {
    UserGroupInformation named = null;
    String reason = "";
    try {
      named = ProtoUtil.getUgi(context);
    } catch (IllegalArgumentException e) {
      if (e.getCause() != null) { // no rule for the realm; else the name is empty
        reason = ": " + e.getMessage();
      }
    }
    if (named == null) {
      throw unauthorized("Connection context names no user" + reason);
    }
    return checked(named);
  }

  /** The client, or another user for whom it asks to work. */
  private UserGroupInformation provedUser(IpcConnectionContextProto context)
      throws FatalRequestException {
    UserGroupInformation proved = sasl.user();
    UserGroupInformation named;
    try {
      named = ProtoUtil.getUgi(context);
      if (named == null || named.getUserName().equals(proved.getUserName())) {
        return checked(proved);
      }
      if (proved.getAuthenticationMethod() == AuthenticationMethod.TOKEN) {
        throw unauthorized(
            "Authenticated user ("
                + proved
                + ") doesn't match what the client claims to be ("
                + named
                + ")");
      }
      return checked(UserGroupInformation.createProxyUser(named.getUserName(), proved));
    } catch (IllegalArgumentException e) {
      throw unauthorized("Connection context names no user: " + e.getMessage());
    }
  }

  private static UserGroupInformation checked(UserGroupInformation user)
      throws FatalRequestException {
    try {
      UserNames.check(user);
    } catch (AccessControlException e) {
      throw unauthorized(String.valueOf(e.getMessage()));
    }
    return user;
  }

  private static FatalRequestException unauthorized(String message) {
    return new FatalRequestException(
        RpcErrorCodeProto.FATAL_UNAUTHORIZED, AccessControlException.class, message);
  }

  private boolean mayWait(UserGroupInformation claimed) {
    ConnectionPolicy policy = host.options().connectionPolicy();
    return isProxy(claimed) || policy != null && policy.mayWait(protocolName);
  }

  /** Whether it asks to work for another user, and not by that user's token. */
  private static boolean isProxy(UserGroupInformation claimed) {
    return claimed.getRealUser() != null
        && claimed.getAuthenticationMethod() != AuthenticationMethod.TOKEN;
  }

  private void authorizeOnWorker(RpcRequestHeaderProto header, UserGroupInformation claimed) {
    lifecycle.enter(Phase.AUTHORIZATION);
    try {
      host.workers()
          .execute(
              false,
              () -> {
                RpcFailure refusal = refusal(claimed);
                channel.execute(() -> authorized(header, claimed, refusal));
              });
    } catch (RejectedExecutionException e) {
      lifecycle.fail(CallIds.of(header), RpcFailure.tooBusy(RpcStatusProto.FATAL));
    }
  }

  /**
   * @param refusal null: the user may connect
   */
  private void authorized(
      RpcRequestHeaderProto header, UserGroupInformation claimed, @Nullable RpcFailure refusal) {
    if (refusal != null) {
      lifecycle.fail(CallIds.of(header), refusal);
    } else if (lifecycle.phase() == Phase.AUTHORIZATION) {
      accept(claimed);
    }
  }

  private @Nullable RpcFailure refusal(UserGroupInformation claimed) {
    try {
      InetAddress client = channel.connectedAddress().getAddress();
      if (isProxy(claimed)) {
        ProxyUsers.authorize(claimed, client);
      }
      ConnectionPolicy policy = host.options().connectionPolicy();
      if (policy != null) {
        policy.authorize(claimed, protocolName, client);
      }
      return null;
    } catch (AuthorizationException | RuntimeException e) {
      return new RpcFailure(
          RpcStatusProto.FATAL,
          RpcErrorCodeProto.FATAL_UNAUTHORIZED,
          e.getClass().getName(),
          String.valueOf(e.getMessage()));
    }
  }
}
