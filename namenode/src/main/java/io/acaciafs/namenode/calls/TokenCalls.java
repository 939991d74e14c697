package io.acaciafs.namenode.calls;

import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager;
import org.apache.hadoop.security.proto.SecurityProtos.CancelDelegationTokenRequestProto;
import org.apache.hadoop.security.proto.SecurityProtos.CancelDelegationTokenResponseProto;
import org.apache.hadoop.security.proto.SecurityProtos.GetDelegationTokenRequestProto;
import org.apache.hadoop.security.proto.SecurityProtos.GetDelegationTokenResponseProto;
import org.apache.hadoop.security.proto.SecurityProtos.RenewDelegationTokenRequestProto;
import org.apache.hadoop.security.proto.SecurityProtos.RenewDelegationTokenResponseProto;
import org.jspecify.annotations.Nullable;

/**
 * Calls about delegation tokens, answered as by an HDFS without security: it issues none, and
 * rejects all tokens of clients. Hadoop's own token manager, which is never started, makes the
 * refusals.
 */
public final class TokenCalls {
  /** Null before the first call, as its many classes would delay each start. */
  private @Nullable DelegationTokenSecretManager noTokens;

  private synchronized DelegationTokenSecretManager noTokens() {
    if (noTokens == null) {
      noTokens =
          new DelegationTokenSecretManager(
              DFSConfigKeys.DFS_NAMENODE_DELEGATION_KEY_UPDATE_INTERVAL_DEFAULT,
              DFSConfigKeys.DFS_NAMENODE_DELEGATION_TOKEN_MAX_LIFETIME_DEFAULT,
              DFSConfigKeys.DFS_NAMENODE_DELEGATION_TOKEN_RENEW_INTERVAL_DEFAULT,
              DFSConfigKeys.DFS_NAMENODE_DELEGATION_KEY_UPDATE_INTERVAL_DEFAULT,
              null);
    }
    return noTokens;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .method(
            "getDelegationToken",
            GetDelegationTokenRequestProto.class,
            (call, request) -> GetDelegationTokenResponseProto.getDefaultInstance())
        .method("renewDelegationToken", RenewDelegationTokenRequestProto.class, this::renew)
        .method("cancelDelegationToken", CancelDelegationTokenRequestProto.class, this::cancel);
  }

  private RenewDelegationTokenResponseProto renew(
      RpcCall call, RenewDelegationTokenRequestProto request) throws IOException {
    long expiryMs =
        noTokens()
            .renewToken(
                PBHelperClient.convertDelegationToken(request.getToken()),
                call.user().getShortUserName());
    return RenewDelegationTokenResponseProto.newBuilder().setNewExpiryTime(expiryMs).build();
  }

  private CancelDelegationTokenResponseProto cancel(
      RpcCall call, CancelDelegationTokenRequestProto request) throws IOException {
    noTokens()
        .cancelToken(
            PBHelperClient.convertDelegationToken(request.getToken()), call.user().getUserName());
    return CancelDelegationTokenResponseProto.getDefaultInstance();
  }
}
