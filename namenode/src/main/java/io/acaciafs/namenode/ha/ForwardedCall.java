package io.acaciafs.namenode.ha;

import io.acaciafs.namespace.token.TokenIdentifiers;
import io.acaciafs.rpc.protocol.EndedCall;
import io.acaciafs.rpc.protocol.RpcCall;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * A client's call that came to this NameNode by way of a standby: as it was there, with the
 * client's address and the ids by which a repetition is known. The identifier of its message is the
 * method; the arguments are user, real user (empty: none), address, port, client id, call id, retry
 * count, caller context (empty: none), request, and the term of the leader that is to run it; with
 * security on also how the user and the real user (empty: none) have proved who they are, and the
 * identifier of the user's token (empty: none); and with the protection of the client's connection
 * where it came to an auxiliary port that tells it. Bytes are in Base64.
 */
final class ForwardedCall implements EndedCall {
  private static final int ARGUMENTS = 10;
  private static final int SECURE_ARGUMENTS = ARGUMENTS + 3;
  private static final int QOP_ARGUMENTS = SECURE_ARGUMENTS + 1;

  private final String method;
  private final Message request;
  private final UserGroupInformation user;
  private final InetSocketAddress clientAddress;
  private final byte[] clientId;
  private final int callId;
  private final int retryCount;
  private final @Nullable CallerContext callerContext;
  private final long term;
  private final @Nullable String auxiliaryPortQop;
  private final long receivedNanos = System.nanoTime();
  private volatile @Nullable Object attachment;
  private volatile long restsOn = NO_STATE;

  private ForwardedCall(List<String> arguments, String method, Message prototype)
      throws IOException {
    this.method = method;
    this.user = user(arguments);
    this.clientAddress =
        new InetSocketAddress(
            InetAddress.getByName(arguments.get(2)), Integer.parseInt(arguments.get(3)));
    this.clientId = Base64.getDecoder().decode(arguments.get(4));
    this.callId = Integer.parseInt(arguments.get(5));
    this.retryCount = Integer.parseInt(arguments.get(6));
    this.callerContext =
        arguments.get(7).isEmpty() ? null : new CallerContext.Builder(arguments.get(7)).build();
    this.request =
        prototype.getParserForType().parseFrom(Base64.getDecoder().decode(arguments.get(8)));
    this.term = Long.parseLong(arguments.get(9));
    this.auxiliaryPortQop =
        arguments.size() == QOP_ARGUMENTS ? arguments.get(SECURE_ARGUMENTS) : null;
  }

  private static UserGroupInformation user(List<String> arguments) throws IOException {
    String name = arguments.get(0);
    String realName = arguments.get(1);
    UserGroupInformation real =
        realName.isEmpty() ? null : UserGroupInformation.createRemoteUser(realName);
    UserGroupInformation user =
        real == null
            ? UserGroupInformation.createRemoteUser(name)
            : UserGroupInformation.createProxyUser(name, real);
    if (arguments.size() > ARGUMENTS) {
      setProofs(user, real, arguments.subList(ARGUMENTS, SECURE_ARGUMENTS));
    }
    return user;
  }

  /** A token's user may have a real user too: the one by which it got the token. */
  private static void setProofs(
      UserGroupInformation user, @Nullable UserGroupInformation real, List<String> proofs)
      throws IOException {
    user.setAuthenticationMethod(AuthenticationMethod.valueOf(proofs.get(0)));
    if (real != null) {
      real.setAuthenticationMethod(AuthenticationMethod.valueOf(proofs.get(1)));
    }
    String token = proofs.get(2);
    if (!token.isEmpty()) {
      user.addTokenIdentifier(TokenIdentifiers.read(Base64.getDecoder().decode(token)));
    }
  }

  private static String token(UserGroupInformation user) {
    DelegationTokenIdentifier token = TokenIdentifiers.of(user);
    return token == null ? "" : Base64.getEncoder().encodeToString(token.getBytes());
  }

  /**
   * The message that carries a call. It never says that this is the first attempt: the client may
   * have sent the same call to the leader too, or to another NameNode that forwards it, as Hadoop's
   * RequestHedgingProxyProvider does.
   *
   * @param attempts of this NameNode to have it run before: each may have succeeded
   * @param term of the leader that is to run it
   */
  static GenericRefreshRequestProto encode(RpcCall call, Message request, int attempts, long term) {
    return encode(call, request, attempts, term, UserGroupInformation.isSecurityEnabled());
  }

  /**
   * @param isSecure whether with how the client has proved who it is; else as an earlier version
   *     expects it, also of a token, of which without security nothing depends
   */
  static GenericRefreshRequestProto encode(
      RpcCall call, Message request, int attempts, long term, boolean isSecure) {
    Base64.Encoder base64 = Base64.getEncoder();
    UserGroupInformation real = call.user().getRealUser();
    CallerContext context = call.callerContext();
    GenericRefreshRequestProto.Builder message =
        GenericRefreshRequestProto.newBuilder()
            .setIdentifier(call.method())
            .addArgs(call.user().getUserName())
            .addArgs(real == null ? "" : real.getUserName())
            .addArgs(call.clientAddress().getAddress().getHostAddress())
            .addArgs(Integer.toString(call.clientAddress().getPort()))
            .addArgs(base64.encodeToString(call.clientId()))
            .addArgs(Integer.toString(call.callId()))
            .addArgs(Integer.toString(Math.max(0, call.retryCount()) + 1 + attempts))
            .addArgs(context == null ? "" : context.getContext())
            .addArgs(base64.encodeToString(request.toByteArray()))
            .addArgs(Long.toString(term));
    if (isSecure) {
      message
          .addArgs(call.user().getAuthenticationMethod().name())
          .addArgs(real == null ? "" : real.getAuthenticationMethod().name())
          .addArgs(token(call.user()));
      if (call.auxiliaryPortQop() != null) {
        message.addArgs(call.auxiliaryPortQop());
      }
    }
    return message.build();
  }

  /**
   * @param prototype of the method's request
   * @throws IOException when it makes no sense
   */
  static ForwardedCall decode(GenericRefreshRequestProto message, Message prototype)
      throws IOException {
    int count = message.getArgsCount();
    if (count != ARGUMENTS && count != SECURE_ARGUMENTS && count != QOP_ARGUMENTS) {
      throw new IOException("Not a call that a NameNode forwards");
    }
    try {
      return new ForwardedCall(message.getArgsList(), message.getIdentifier(), prototype);
    } catch (IllegalArgumentException e) {
      throw new IOException("Not a call that a NameNode forwards", e);
    }
  }

  /** Another call of the same client, which is asked for on its behalf. */
  static ForwardedCall onBehalf(RpcCall call, String method, Message request) throws IOException {
    return decode(encode(call, request, 0, 0).toBuilder().setIdentifier(method).build(), request);
  }

  /** As the answer has it. */
  static String encode(Message reply) {
    return Base64.getEncoder().encodeToString(reply.toByteArray());
  }

  static ByteString decode(String reply) {
    return ByteString.copyFrom(Base64.getDecoder().decode(reply));
  }

  /** Of the client's own call, where this is the first attempt to have it run. */
  int clientRetryCount() {
    return retryCount - 1;
  }

  /** In which its receiver has to lead. */
  long term() {
    return term;
  }

  /** The state that its reply rests on; {@link #NO_STATE} where none was told. */
  long restsOn() {
    return restsOn;
  }

  @Override
  public void restsOn(long stateId) {
    restsOn = stateId;
  }

  @Override
  public UserGroupInformation user() {
    return user;
  }

  @Override
  public InetSocketAddress clientAddress() {
    return clientAddress;
  }

  @Override
  public @Nullable String auxiliaryPortQop() {
    return auxiliaryPortQop;
  }

  @Override
  public int callId() {
    return callId;
  }

  @Override
  public byte[] clientId() {
    return clientId.clone();
  }

  @Override
  public int retryCount() {
    return retryCount;
  }

  @Override
  public @Nullable CallerContext callerContext() {
    return callerContext;
  }

  @Override
  public String protocol() {
    return StandbyProtocols.CLIENT_PROTOCOL;
  }

  @Override
  public String method() {
    return method;
  }

  @Override
  public long receivedNanos() {
    return receivedNanos;
  }

  @Override
  public boolean isIsolated() {
    return false;
  }

  /** It runs on a worker's thread, which may wait. */
  @Override
  public @Nullable Executor networkThread() {
    return null;
  }

  @Override
  public void attach(@Nullable Object value) {
    attachment = value;
  }

  @Override
  public Message request() {
    return request;
  }

  @Override
  public int requestBytes() {
    return request.getSerializedSize();
  }

  @Override
  public @Nullable Object attachment() {
    return attachment;
  }

  @Override
  public boolean isLocal() {
    return false;
  }
}
