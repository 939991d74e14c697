package io.acaciafs.namenode.audit;

import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.token.TokenIdentifiers;
import io.acaciafs.rpc.protocol.EndedCall;
import java.net.InetSocketAddress;
import java.util.List;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.jspecify.annotations.Nullable;

/**
 * One line of the audit log, before it is text. Null stands for "null" in it.
 *
 * @param user as {@code UserGroupInformation.toString()} says it
 * @param address where the call came from
 * @param access what was done, and whether it was allowed
 * @param status owner, group and mode of what was made or changed
 * @param protocol "rpc" or "webhdfs"
 * @param context whom the client works for, or null
 * @param token by which the caller has authenticated, or null
 */
public record AuditLine(
    String user,
    InetSocketAddress address,
    Access access,
    Inode.@Nullable Attributes status,
    @Nullable String protocol,
    @Nullable CallerContext context,
    @Nullable DelegationTokenIdentifier token)
    implements AuditEvent {

  /** What a call has done. */
  static AuditLine of(EndedCall call, Access access, Inode.@Nullable Attributes status) {
    return new AuditLine(
        call.user().toString(),
        call.clientAddress(),
        access,
        status,
        call.isLocal() ? "webhdfs" : "rpc",
        call.callerContext(),
        token(call.user()));
  }

  private static @Nullable DelegationTokenIdentifier token(UserGroupInformation user) {
    return user.getAuthenticationMethod() == AuthenticationMethod.TOKEN
        ? TokenIdentifiers.of(user)
        : null;
  }

  @Override
  public List<AuditLine> lines() {
    return List.of(this);
  }
}
