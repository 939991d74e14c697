package io.acaciafs.rpc;

import io.acaciafs.rpc.codec.CallIds;
import io.acaciafs.rpc.codec.FatalRequestException;
import io.acaciafs.rpc.codec.ReplyEncoder;
import io.acaciafs.rpc.codec.RequestHeaders;
import io.acaciafs.rpc.codec.RpcFailure;
import io.acaciafs.rpc.limit.UserNames;
import io.acaciafs.rpc.options.ConnectionPolicy;
import java.net.InetAddress;
import java.util.concurrent.RejectedExecutionException;
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
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.util.ProtoUtil;

/**
 * The messages of a connection that are no calls (their ids are negative), and what they establish:
 * who calls, and through which protocol. Source: {@code
 * Server.Connection.processRpcOutOfBandRequest}. For the connection's network thread.
 *
 * <p>Authorization of a proxy user or of a protocol may need a slow lookup of groups. So a worker
 * thread does it, and the connection reads nothing meanwhile.
 */
final class ConnectionSetup {
  private static final int SASL_CALL_ID = -33;

  private final RpcConnection connection;
  private final ConnectionHost host;
  private boolean negotiating;
  private boolean contextSeen;
  private UserGroupInformation user;
  private String protocolName;

  /**
   * @param sasl whether the client wants to negotiate first
   */
  ConnectionSetup(RpcConnection connection, ConnectionHost host, boolean sasl) {
    this.connection = connection;
    this.host = host;
    this.negotiating = sasl;
  }

  /** Null until the connection's context was accepted. */
  UserGroupInformation user() {
    return user;
  }

  /** The protocol of the connection's context, or null. */
  String protocolName() {
    return protocolName;
  }

  void outOfBand(RpcRequestHeaderProto header, CodedInputStream in) throws FatalRequestException {
    switch (header.getCallId()) {
      case RpcConstants.PING_CALL_ID -> host.pinged();
      case RpcConstants.CONNECTION_CONTEXT_CALL_ID -> context(header, in);
      case SASL_CALL_ID -> sasl(in);
      default ->
          throw new FatalRequestException(
              RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER,
              "Unknown out of band call #" + header.getCallId());
    }
  }

  /** A server without secrets answers every opening with success, which means "go on without". */
  private void sasl(CodedInputStream in) throws FatalRequestException {
    if (!negotiating) {
      throw new FatalRequestException(
          RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER, "SASL protocol not requested by client");
    }
    SaslState state = RequestHeaders.parse(in, RpcSaslProto.parser(), "RpcSaslProto").getState();
    switch (state) {
      case NEGOTIATE, INITIATE -> {
        negotiating = false;
        connection.write(
            ReplyEncoder.success(
                connection.allocator(),
                CallIds.outOfBand(SASL_CALL_ID),
                RpcSaslProto.newBuilder().setState(SaslState.SUCCESS).build()));
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
    if (negotiating) {
      throw new FatalRequestException(
          RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER,
          "Connection header sent during SASL negotiation");
    }
    if (contextSeen) {
      throw new FatalRequestException(
          RpcErrorCodeProto.FATAL_INVALID_RPC_HEADER, "Connection context already processed");
    }
    contextSeen = true;
    IpcConnectionContextProto context =
        RequestHeaders.parse(in, IpcConnectionContextProto.parser(), "IpcConnectionContextProto");
    checkProtocolName(context.getProtocol());
    protocolName = context.hasProtocol() ? context.getProtocol() : null;
    UserGroupInformation claimed = claimedUser(context);
    if (claimed.getRealUser() == null && host.options().connectionPolicy() == null) {
      accept(claimed);
    } else {
      authorize(header, claimed);
    }
  }

  /** The connection keeps the name. */
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
    connection.belongsTo(claimed);
  }

  private static UserGroupInformation claimedUser(IpcConnectionContextProto context)
      throws FatalRequestException {
    UserGroupInformation claimed = null;
    String reason = "";
    try {
      claimed = ProtoUtil.getUgi(context);
    } catch (IllegalArgumentException e) {
      if (e.getCause() != null) { // a realm that no rule is for; else an empty name
        reason = ": " + e.getMessage();
      }
    }
    if (claimed == null) {
      throw new FatalRequestException(
          RpcErrorCodeProto.FATAL_UNAUTHORIZED,
          AccessControlException.class,
          "Connection context names no user" + reason);
    }
    try {
      UserNames.check(claimed);
    } catch (AccessControlException e) {
      throw new FatalRequestException(
          RpcErrorCodeProto.FATAL_UNAUTHORIZED, AccessControlException.class, e.getMessage());
    }
    return claimed;
  }

  private void authorize(RpcRequestHeaderProto header, UserGroupInformation claimed) {
    connection.hold();
    try {
      host.workers()
          .execute(
              () -> {
                RpcFailure refusal = refusal(claimed);
                connection.execute(
                    () -> {
                      if (refusal == null) {
                        accept(claimed);
                        connection.unhold();
                      } else {
                        connection.fail(CallIds.of(header), refusal);
                      }
                    });
              });
    } catch (RejectedExecutionException e) {
      connection.fail(CallIds.of(header), RpcFailure.tooBusy(RpcStatusProto.FATAL));
    }
  }

  private RpcFailure refusal(UserGroupInformation claimed) {
    try {
      InetAddress client = connection.clientAddress().getAddress();
      if (claimed.getRealUser() != null) {
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
