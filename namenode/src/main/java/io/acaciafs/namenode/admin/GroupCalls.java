package io.acaciafs.namenode.admin;

import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.util.List;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.tools.proto.GetUserMappingsProtocolProtos.GetGroupsForUserRequestProto;
import org.apache.hadoop.tools.proto.GetUserMappingsProtocolProtos.GetGroupsForUserResponseProto;
import org.apache.hadoop.tools.proto.GetUserMappingsProtocolProtos.GetUserMappingsProtocolService;

/**
 * GetUserMappingsProtocol, for {@code hdfs groups}: the groups of a user as this NameNode sees
 * them. Any user may call it, as in HDFS.
 */
public final class GroupCalls {
  private GroupCalls() {}

  public static RpcProtocol protocol() {
    return RpcProtocol.builder(
            "org.apache.hadoop.tools.GetUserMappingsProtocol",
            1,
            GetUserMappingsProtocolService.newReflectiveBlockingService(null))
        .blockingMethod(
            "getGroupsForUser", GetGroupsForUserRequestProto.class, GroupCalls::getGroupsForUser)
        .build();
  }

  /** The look-up may run a program or ask a directory service. */
  private static GetGroupsForUserResponseProto getGroupsForUser(
      RpcCall call, GetGroupsForUserRequestProto request) {
    UserGroupInformation user = UserGroupInformation.createRemoteUser(request.getUser());
    return GetGroupsForUserResponseProto.newBuilder()
        .addAllGroups(List.of(user.getGroupNames()))
        .build();
  }
}
