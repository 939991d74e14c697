package io.acaciafs.namenode.admin;

import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import io.acaciafs.web.ProxyUserRules;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.proto.RefreshUserMappingsProtocolProtos.RefreshSuperUserGroupsConfigurationRequestProto;
import org.apache.hadoop.security.proto.RefreshUserMappingsProtocolProtos.RefreshSuperUserGroupsConfigurationResponseProto;
import org.apache.hadoop.security.proto.RefreshUserMappingsProtocolProtos.RefreshUserMappingsProtocolService;
import org.apache.hadoop.security.proto.RefreshUserMappingsProtocolProtos.RefreshUserToGroupsMappingsRequestProto;
import org.apache.hadoop.security.proto.RefreshUserMappingsProtocolProtos.RefreshUserToGroupsMappingsResponseProto;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RefreshUserMappingsProtocol: forgets which groups users are in, and rereads who may speak for
 * whom. Open to everybody, as in HDFS without service-level authorization.
 */
public final class UserMappingCalls {
  private static final Logger LOG = LoggerFactory.getLogger(UserMappingCalls.class);

  private UserMappingCalls() {}

  public static RpcProtocol protocol() {
    return RpcProtocol.builder(
            "org.apache.hadoop.security.RefreshUserMappingsProtocol",
            1,
            RefreshUserMappingsProtocolService.newReflectiveBlockingService(null))
        .method(
            "refreshUserToGroupsMappings",
            RefreshUserToGroupsMappingsRequestProto.class,
            UserMappingCalls::refreshGroups)
        .blockingMethod(
            "refreshSuperUserGroupsConfiguration",
            RefreshSuperUserGroupsConfigurationRequestProto.class,
            UserMappingCalls::refreshProxyUsers)
        .build();
  }

  private static RefreshUserToGroupsMappingsResponseProto refreshGroups(
      RpcCall call, RefreshUserToGroupsMappingsRequestProto request) {
    LOG.info("Forgets the groups of all users for user={}", call.user().getShortUserName());
    Groups.getUserToGroupsMappingService().refresh();
    return RefreshUserToGroupsMappingsResponseProto.getDefaultInstance();
  }

  private static RefreshSuperUserGroupsConfigurationResponseProto refreshProxyUsers(
      RpcCall call, RefreshSuperUserGroupsConfigurationRequestProto request) {
    LOG.info("Rereads the settings of proxy users for user={}", call.user().getShortUserName());
    ProxyUserRules.take(new Configuration());
    return RefreshSuperUserGroupsConfigurationResponseProto.getDefaultInstance();
  }
}
