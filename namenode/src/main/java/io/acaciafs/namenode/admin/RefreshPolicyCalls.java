package io.acaciafs.namenode.admin;

import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.proto.RefreshAuthorizationPolicyProtocolProtos.RefreshAuthorizationPolicyProtocolService;
import org.apache.hadoop.security.proto.RefreshAuthorizationPolicyProtocolProtos.RefreshServiceAclRequestProto;
import org.apache.hadoop.security.proto.RefreshAuthorizationPolicyProtocolProtos.RefreshServiceAclResponseProto;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RefreshAuthorizationPolicyProtocol: rereads hadoop-policy.xml ({@code dfsadmin
 * -refreshServiceAcl}). That file says which users may call it, as in HDFS.
 */
public final class RefreshPolicyCalls {
  private static final Logger LOG = LoggerFactory.getLogger(RefreshPolicyCalls.class);

  private final @Nullable ServiceAuthorization authorization;

  /**
   * @param authorization null where there is none
   */
  public RefreshPolicyCalls(@Nullable ServiceAuthorization authorization) {
    this.authorization = authorization;
  }

  public RpcProtocol protocol() {
    return RpcProtocol.builder(
            "org.apache.hadoop.security.authorize.RefreshAuthorizationPolicyProtocol",
            1,
            RefreshAuthorizationPolicyProtocolService.newReflectiveBlockingService(null))
        .blockingMethod("refreshServiceAcl", RefreshServiceAclRequestProto.class, this::refresh)
        .build();
  }

  private RefreshServiceAclResponseProto refresh(
      RpcCall call, RefreshServiceAclRequestProto request) throws AuthorizationException {
    if (authorization == null) {
      throw new AuthorizationException("Service Level Authorization not enabled!");
    }
    LOG.info("Rereads hadoop-policy.xml for user={}", call.user().getShortUserName());
    authorization.refresh();
    return RefreshServiceAclResponseProto.getDefaultInstance();
  }
}
