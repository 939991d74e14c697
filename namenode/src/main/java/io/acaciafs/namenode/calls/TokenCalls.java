package io.acaciafs.namenode.calls;

import io.acaciafs.namenode.token.DelegationTokens;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.proto.SecurityProtos.CancelDelegationTokenRequestProto;
import org.apache.hadoop.security.proto.SecurityProtos.CancelDelegationTokenResponseProto;
import org.apache.hadoop.security.proto.SecurityProtos.GetDelegationTokenRequestProto;
import org.apache.hadoop.security.proto.SecurityProtos.GetDelegationTokenResponseProto;
import org.apache.hadoop.security.proto.SecurityProtos.RenewDelegationTokenRequestProto;
import org.apache.hadoop.security.proto.SecurityProtos.RenewDelegationTokenResponseProto;

/** Calls about delegation tokens. */
public final class TokenCalls {
  private final DelegationTokens tokens;

  public TokenCalls(DelegationTokens tokens) {
    this.tokens = tokens;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .asyncMethod("getDelegationToken", GetDelegationTokenRequestProto.class, this::get)
        .asyncMethod("renewDelegationToken", RenewDelegationTokenRequestProto.class, this::renew)
        .asyncMethod(
            "cancelDelegationToken", CancelDelegationTokenRequestProto.class, this::cancel);
  }

  private CompletableFuture<GetDelegationTokenResponseProto> get(
      RpcCall call, GetDelegationTokenRequestProto request) {
    return tokens
        .issue(call.user(), new Text(request.getRenewer()))
        .thenApply(
            token ->
                token == null
                    ? GetDelegationTokenResponseProto.getDefaultInstance()
                    : GetDelegationTokenResponseProto.newBuilder()
                        .setToken(PBHelperClient.convert(token))
                        .build());
  }

  private CompletableFuture<RenewDelegationTokenResponseProto> renew(
      RpcCall call, RenewDelegationTokenRequestProto request) {
    return tokens
        .renew(call.user(), PBHelperClient.convertDelegationToken(request.getToken()))
        .thenApply(
            untilMs ->
                RenewDelegationTokenResponseProto.newBuilder().setNewExpiryTime(untilMs).build());
  }

  private CompletableFuture<CancelDelegationTokenResponseProto> cancel(
      RpcCall call, CancelDelegationTokenRequestProto request) {
    return tokens
        .cancel(
            call.user(),
            PBHelperClient.convertDelegationToken(request.getToken()),
            call.clientId(),
            call.callId())
        .thenApply(nothing -> CancelDelegationTokenResponseProto.getDefaultInstance());
  }
}
