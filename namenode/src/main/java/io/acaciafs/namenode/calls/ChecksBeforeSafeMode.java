package io.acaciafs.namenode.calls;

import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.namenode.reply.SafeModeGuard;
import io.acaciafs.rpc.protocol.RpcCall;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetQuotaRequestProto;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * What HDFS checks of a call before it checks safe mode: in safe mode a user who may not make the
 * call learns so, and not that safe mode is on. Source: FSNamesystem of HDFS 3.5. Thread-safe.
 */
public final class ChecksBeforeSafeMode implements SafeModeGuard.EarlierCheck {
  private static final Set<String> OF_SUPERUSERS =
      Set.of(
          "addCachePool",
          "addErasureCodingPolicies",
          "allowSnapshot",
          "disableErasureCodingPolicy",
          "disallowSnapshot",
          "enableErasureCodingPolicy",
          "modifyCachePool",
          "reencryptEncryptionZone",
          "removeCachePool",
          "removeErasureCodingPolicy",
          "rollEdits");

  private final Callers callers;
  private final boolean ownersSetQuotas;
  private final boolean symlinksEnabled;

  /**
   * @param ownersSetQuotas dfs.permissions.allow.owner.set.quota: setQuota is not for superusers
   *     alone
   */
  public ChecksBeforeSafeMode(Callers callers, boolean ownersSetQuotas, boolean symlinksEnabled) {
    this.callers = callers;
    this.ownersSetQuotas = ownersSetQuotas;
    this.symlinksEnabled = symlinksEnabled;
  }

  /**
   * Checks a call that safe mode is about to refuse.
   *
   * @throws AccessControlException if the call is for superusers
   * @throws UnsupportedOperationException if the call makes a symbolic link, and the site has none
   */
  @Override
  public void check(RpcCall call, Message request) throws AccessControlException {
    switch (call.method()) {
      case "createSymlink" -> {
        if (!symlinksEnabled) {
          throw SymlinkCalls.notSupported();
        }
      }
      case "setQuota" -> {
        if (!ownersSetQuotas) {
          callers.checkSuperuser(
              call, QuotaCalls.operation((SetQuotaRequestProto) request).hdfsName());
        }
      }
      default -> {
        if (OF_SUPERUSERS.contains(call.method())) {
          callers.checkSuperuser(call);
        }
      }
    }
  }
}
