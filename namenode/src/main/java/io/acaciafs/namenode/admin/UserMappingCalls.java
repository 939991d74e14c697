package io.acaciafs.namenode.admin;

import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.apache.hadoop.security.proto.RefreshUserMappingsProtocolProtos.RefreshSuperUserGroupsConfigurationRequestProto;
import org.apache.hadoop.security.proto.RefreshUserMappingsProtocolProtos.RefreshSuperUserGroupsConfigurationResponseProto;
import org.apache.hadoop.security.proto.RefreshUserMappingsProtocolProtos.RefreshUserMappingsProtocolService;
import org.apache.hadoop.security.proto.RefreshUserMappingsProtocolProtos.RefreshUserToGroupsMappingsRequestProto;
import org.apache.hadoop.security.proto.RefreshUserMappingsProtocolProtos.RefreshUserToGroupsMappingsResponseProto;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * RefreshUserMappingsProtocol: forgets which groups users are in, and rereads who may speak for
 * whom. Open to everybody, as in HDFS without service-level authorization.
 */
public final class UserMappingCalls {
  private static final Logger LOG = LoggerFactory.getLogger(UserMappingCalls.class);

  private static final String PROXY_USERS = "hadoop.proxyuser.";

  /** What was reread last; null: nothing was. */
  private static volatile @Nullable Configuration reread;

  private UserMappingCalls() {}

  static synchronized void take(Configuration read) {
    ProxyUsers.refreshSuperUserGroupsConfiguration(read);
    reread = read;
  }

  /**
   * Puts the proxy users that were reread last into settings that a part of this process is to
   * start with. Hadoop's filter of its web server takes them from there for the whole process.
   */
  public static void keepReread(Configuration next) {
    Configuration last = reread;
    if (last != null) {
      next.getPropsWithPrefix(PROXY_USERS).keySet().forEach(key -> next.unset(PROXY_USERS + key));
      last.getPropsWithPrefix(PROXY_USERS)
          .forEach((key, value) -> next.set(PROXY_USERS + key, value));
    }
  }

  /**
   * Takes the proxy users that were reread last once more. A web server starts while the NameNode
   * answers calls, and Hadoop's filter of it then takes those of its settings for the whole
   * process, also when an administrator has had them reread meanwhile.
   */
  public static synchronized void takeRereadAgain() {
    Configuration last = reread;
    if (last != null) {
      ProxyUsers.refreshSuperUserGroupsConfiguration(last);
    }
  }

  /** A NameNode that starts in this process takes the proxy users of its settings. */
  public static void forgetReread() {
    reread = null;
  }

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
    take(new Configuration());
    return RefreshSuperUserGroupsConfigurationResponseProto.getDefaultInstance();
  }
}
