package io.acaciafs.namenode.audit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.GetAclStatusRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.ModifyAclEntriesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveAclEntriesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveDefaultAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.SetAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CheckAccessRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ConcatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSymlinkRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DisallowSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBatchedListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBatchedListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetContentSummaryRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileLinkInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLocatedFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetQuotaUsageRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetSnapshotListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.IsFileClosedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.IsFileClosedResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ListCacheDirectivesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ListCorruptFileBlocksRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ListOpenFilesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.Rename2RequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RestoreFailedStorageRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RollingUpgradeActionProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RollingUpgradeRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RollingUpgradeResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetOwnerRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetPermissionRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetQuotaRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetSafeModeRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetStoragePolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetTimesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.TruncateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UnsetStoragePolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.EncryptionZonesProtos.GetEZForPathRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.GetErasureCodingPolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.SetErasureCodingPolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.UnsetErasureCodingPolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BatchedDirectoryListingProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BatchedListingKeyProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.GetXAttrsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.ListXAttrsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.RemoveXAttrRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.SetXAttrRequestProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/** What HDFS writes into its audit log of each method. Source: {@code FSNamesystem}. */
final class AuditRules {
  private AuditRules() {}

  /** The rules by the names of methods of all protocols; what is not there leaves no line. */
  static Map<String, AuditRule> ofMethods() {
    Map<String, AuditRule> rules = new HashMap<>();
    reads(rules);
    changes(rules);
    attributes(rules);
    cluster(rules);
    features(rules);
    RefusedCalls.addRules(rules);
    TokenAccess.addRules(rules);
    return Map.copyOf(rules);
  }

  private static void reads(Map<String, AuditRule> rules) {
    rules.put(
        "getBlockLocations",
        AuditRule.of(
            "open", GetBlockLocationsRequestProto.class, GetBlockLocationsRequestProto::getSrc));
    rules.put(
        "getFileInfo",
        AuditRule.of(
            "getfileinfo", GetFileInfoRequestProto.class, GetFileInfoRequestProto::getSrc));
    rules.put(
        "getLocatedFileInfo",
        AuditRule.of(
                "getfileinfo",
                GetLocatedFileInfoRequestProto.class,
                GetLocatedFileInfoRequestProto::getSrc)
            .named(
                GetLocatedFileInfoRequestProto.class,
                request -> request.getNeedBlockToken() ? "open" : "getfileinfo"));
    rules.put(
        "getFileLinkInfo",
        AuditRule.of(
            "getfileinfo", GetFileLinkInfoRequestProto.class, GetFileLinkInfoRequestProto::getSrc));
    rules.put(
        "getLinkTarget",
        AuditRule.of(
            "getfileinfo", GetLinkTargetRequestProto.class, GetLinkTargetRequestProto::getPath));
    rules.put(
        "isFileClosed",
        AuditRule.of(
                "isFileClosed", IsFileClosedRequestProto.class, IsFileClosedRequestProto::getSrc)
            .writtenIf(reply -> ((IsFileClosedResponseProto) reply).getResult()));
    rules.put(
        "getListing",
        AuditRule.of("listStatus", GetListingRequestProto.class, GetListingRequestProto::getSrc));
    rules.put("getBatchedListing", AuditRule.of("listStatus").each(AuditRules::batchedListing));
    rules.put(
        "getContentSummary",
        AuditRule.of(
            "contentSummary",
            GetContentSummaryRequestProto.class,
            GetContentSummaryRequestProto::getPath));
    rules.put(
        "getQuotaUsage",
        AuditRule.of(
            "quotaUsage", GetQuotaUsageRequestProto.class, GetQuotaUsageRequestProto::getPath));
    rules.put(
        "checkAccess",
        AuditRule.of(
            "checkAccess", CheckAccessRequestProto.class, CheckAccessRequestProto::getPath));
    rules.put(
        "getEZForPath",
        AuditRule.of(
            "getEZForPath", GetEZForPathRequestProto.class, GetEZForPathRequestProto::getSrc));
    rules.put("getSnapshottableDirListing", AuditRule.of("listSnapshottableDirectory"));
  }

  private static void changes(Map<String, AuditRule> rules) {
    rules.put(
        "create",
        AuditRule.of("create", CreateRequestProto.class, CreateRequestProto::getSrc).withStatus());
    rules.put(
        "append", AuditRule.of("append", AppendRequestProto.class, AppendRequestProto::getSrc));
    rules.put(
        "truncate",
        AuditRule.of("truncate", TruncateRequestProto.class, TruncateRequestProto::getSrc)
            .withStatus());
    rules.put(
        "concat",
        AuditRule.of(
                "concat", ConcatRequestProto.class, request -> request.getSrcsList().toString())
            .to(ConcatRequestProto.class, ConcatRequestProto::getTrg)
            .withStatus());
    rules.put(
        "mkdirs",
        AuditRule.of("mkdirs", MkdirsRequestProto.class, MkdirsRequestProto::getSrc).withStatus());
    rules.put(
        "rename",
        AuditRule.of("rename", RenameRequestProto.class, RenameRequestProto::getSrc)
            .to(RenameRequestProto.class, RenameRequestProto::getDst)
            .writtenIf(reply -> ((RenameResponseProto) reply).getResult())
            .withStatus());
    rules.put(
        "rename2",
        AuditRule.of("rename", Rename2RequestProto.class, Rename2RequestProto::getSrc)
            .named(Rename2RequestProto.class, AuditRules::rename)
            .to(Rename2RequestProto.class, Rename2RequestProto::getDst)
            .withStatus());
    rules.put(
        "delete",
        AuditRule.of("delete", DeleteRequestProto.class, DeleteRequestProto::getSrc)
            .allowedIf(reply -> ((DeleteResponseProto) reply).getResult()));
    rules.put(
        "createSymlink",
        AuditRule.of(
                "createSymlink",
                CreateSymlinkRequestProto.class,
                CreateSymlinkRequestProto::getLink)
            .to(CreateSymlinkRequestProto.class, CreateSymlinkRequestProto::getTarget)
            .withStatus());
  }

  private static void attributes(Map<String, AuditRule> rules) {
    rules.put(
        "setPermission",
        AuditRule.of(
                "setPermission", SetPermissionRequestProto.class, SetPermissionRequestProto::getSrc)
            .withStatus());
    rules.put(
        "setOwner",
        AuditRule.of("setOwner", SetOwnerRequestProto.class, SetOwnerRequestProto::getSrc)
            .withStatus());
    rules.put(
        "setTimes",
        AuditRule.of("setTimes", SetTimesRequestProto.class, SetTimesRequestProto::getSrc)
            .withStatus());
    rules.put(
        "setReplication",
        AuditRule.of(
                "setReplication",
                SetReplicationRequestProto.class,
                SetReplicationRequestProto::getSrc)
            .writtenIf(reply -> ((SetReplicationResponseProto) reply).getResult()));
    rules.put(
        "setQuota",
        AuditRule.of("setQuota", SetQuotaRequestProto.class, SetQuotaRequestProto::getPath)
            .named(SetQuotaRequestProto.class, AuditRules::quota));
    rules.put(
        "setStoragePolicy",
        AuditRule.of(
                "setStoragePolicy",
                SetStoragePolicyRequestProto.class,
                SetStoragePolicyRequestProto::getSrc)
            .withStatus());
    rules.put(
        "unsetStoragePolicy",
        AuditRule.of(
                "unsetStoragePolicy",
                UnsetStoragePolicyRequestProto.class,
                UnsetStoragePolicyRequestProto::getSrc)
            .withStatus());
    rules.put(
        "setXAttr",
        AuditRule.of("setXAttr", SetXAttrRequestProto.class, SetXAttrRequestProto::getSrc)
            .withStatus());
    rules.put(
        "removeXAttr",
        AuditRule.of("removeXAttr", RemoveXAttrRequestProto.class, RemoveXAttrRequestProto::getSrc)
            .withStatus());
    rules.put(
        "getXAttrs",
        AuditRule.of("getXAttrs", GetXAttrsRequestProto.class, GetXAttrsRequestProto::getSrc));
    rules.put(
        "listXAttrs",
        AuditRule.of("listXAttrs", ListXAttrsRequestProto.class, ListXAttrsRequestProto::getSrc));
    acls(rules);
  }

  private static void acls(Map<String, AuditRule> rules) {
    rules.put(
        "modifyAclEntries",
        AuditRule.of(
                "modifyAclEntries",
                ModifyAclEntriesRequestProto.class,
                ModifyAclEntriesRequestProto::getSrc)
            .withStatus());
    rules.put(
        "removeAclEntries",
        AuditRule.of(
                "removeAclEntries",
                RemoveAclEntriesRequestProto.class,
                RemoveAclEntriesRequestProto::getSrc)
            .withStatus());
    rules.put(
        "removeDefaultAcl",
        AuditRule.of(
                "removeDefaultAcl",
                RemoveDefaultAclRequestProto.class,
                RemoveDefaultAclRequestProto::getSrc)
            .withStatus());
    rules.put(
        "removeAcl",
        AuditRule.of("removeAcl", RemoveAclRequestProto.class, RemoveAclRequestProto::getSrc)
            .withStatus());
    rules.put(
        "setAcl",
        AuditRule.of("setAcl", SetAclRequestProto.class, SetAclRequestProto::getSrc).withStatus());
    rules.put(
        "getAclStatus",
        AuditRule.of(
            "getAclStatus", GetAclStatusRequestProto.class, GetAclStatusRequestProto::getSrc));
  }

  private static void cluster(Map<String, AuditRule> rules) {
    for (String command :
        List.of(
            "refreshNodes",
            "setBalancerBandwidth",
            "finalizeUpgrade",
            "saveNamespace",
            "metaSave",
            "getDatanodeStorageReport",
            "reportBadBlocks",
            "refreshServiceAcl",
            "refreshUserToGroupsMappings",
            "refreshSuperUserGroupsConfiguration")) {
      rules.put(command, AuditRule.of(command));
    }
    rules.put(
        "refresh",
        AuditRule.of("refresh", GenericRefreshRequestProto.class, request -> argument(request, 0))
            .named(GenericRefreshRequestProto.class, GenericRefreshRequestProto::getIdentifier)
            .to(GenericRefreshRequestProto.class, request -> argument(request, 1)));
    rules.put("startReconfiguration", AuditRule.of("startNamenodeReconfiguration"));
    rules.put("getReconfigurationStatus", AuditRule.of("getNamenodeReconfigurationStatus"));
    rules.put("listReconfigurableProperties", AuditRule.of("listNamenodeReconfigurableProperties"));
    rules.put("rollEdits", AuditRule.of("rollEditLog"));
    rules.put("getDatanodeReport", AuditRule.of("datanodeReport"));
    rules.put("getSlowDatanodeReport", AuditRule.of("slowDataNodesReport"));
    rules.put(
        "setSafeMode",
        AuditRule.of("safemode_get")
            .named(
                SetSafeModeRequestProto.class,
                request -> request.getAction().toString().toLowerCase(Locale.ROOT)));
    rules.put(
        "listOpenFiles",
        AuditRule.of("listOpenFiles")
            .deniedAt(ListOpenFilesRequestProto.class, ListOpenFilesRequestProto::getPath));
    rules.put(
        "listCorruptFileBlocks",
        AuditRule.of(
                "listCorruptFileBlocks",
                ListCorruptFileBlocksRequestProto.class,
                ListCorruptFileBlocksRequestProto::getPath)
            .writtenIf(reply -> false));
  }

  /**
   * Of a backup, an export or a change of the group. The NameNode does and refuses these alone, so
   * no line has an identifier that the caller made up.
   */
  private static @Nullable String argument(GenericRefreshRequestProto request, int index) {
    return index < request.getArgsCount() ? request.getArgs(index) : null;
  }

  /** Of what Acacia has nothing of yet. */
  private static void features(Map<String, AuditRule> rules) {
    for (String command :
        List.of(
            "getErasureCodingPolicies",
            "getErasureCodingCodecs",
            "getECTopologyResultForPolicies",
            "listCachePools")) {
      rules.put(command, AuditRule.of(command));
    }
    for (String command : List.of("listEncryptionZones", "listReencryptionStatus")) {
      rules.put(command, AuditRule.of(command).deniedAt(Message.class, request -> "/"));
    }
    rules.put(
        "setErasureCodingPolicy",
        AuditRule.of(
                "setErasureCodingPolicy",
                SetErasureCodingPolicyRequestProto.class,
                SetErasureCodingPolicyRequestProto::getSrc)
            .withStatus());
    rules.put(
        "unsetErasureCodingPolicy",
        AuditRule.of(
                "unsetErasureCodingPolicy",
                UnsetErasureCodingPolicyRequestProto.class,
                UnsetErasureCodingPolicyRequestProto::getSrc)
            .withStatus());
    rules.put(
        "getErasureCodingPolicy",
        AuditRule.of(
            "getErasureCodingPolicy",
            GetErasureCodingPolicyRequestProto.class,
            GetErasureCodingPolicyRequestProto::getSrc));
    for (String command :
        List.of(
            "removeErasureCodingPolicy",
            "enableErasureCodingPolicy",
            "disableErasureCodingPolicy")) {
      rules.put(command, AuditRule.of(command).writtenIf(reply -> false));
    }
    rules.put(
        "listCacheDirectives",
        AuditRule.of(
            "listCacheDirectives",
            ListCacheDirectivesRequestProto.class,
            request -> PBHelperClient.convert(request.getFilter()).toString()));
    rules.put(
        "getSnapshotListing",
        AuditRule.of(
            "ListSnapshot",
            GetSnapshotListingRequestProto.class,
            GetSnapshotListingRequestProto::getSnapshotRoot));
    rules.put(
        "disallowSnapshot",
        AuditRule.of(
            "disallowSnapshot",
            DisallowSnapshotRequestProto.class,
            DisallowSnapshotRequestProto::getSnapshotRoot));
    rules.put(
        "rollingUpgrade",
        AuditRule.of("queryRollingUpgrade")
            .named(RollingUpgradeRequestProto.class, AuditRules::rollingUpgrade)
            .each(
                (request, reply) ->
                    rollingUpgrade(
                        (RollingUpgradeRequestProto) request,
                        Objects.requireNonNull((RollingUpgradeResponseProto) reply, "needed"))));
    rules.put(
        "restoreFailedStorage",
        AuditRule.of("checkRestoreFailedStorage")
            .named(
                RestoreFailedStorageRequestProto.class,
                request ->
                    switch (request.getArg()) {
                      case "check" -> "checkRestoreFailedStorage";
                      case "true" -> "enableRestoreFailedStorage";
                      default -> "disableRestoreFailedStorage";
                    }));
  }

  private static String rollingUpgrade(RollingUpgradeRequestProto request) {
    return switch (request.getAction()) {
      case QUERY -> "queryRollingUpgrade";
      case START -> "startRollingUpgrade";
      case FINALIZE -> "finalizeRollingUpgrade";
    };
  }

  /** Of none that is under way there is no line; one that begins with its backup ends safe mode. */
  private static List<Access> rollingUpgrade(
      RollingUpgradeRequestProto request, RollingUpgradeResponseProto reply) {
    if (!reply.hasRollingUpgradeInfo()) {
      return List.of();
    }
    Access access = new Access(true, rollingUpgrade(request), null, null);
    return request.getAction() == RollingUpgradeActionProto.START
            && reply.getRollingUpgradeInfo().getCreatedRollbackImages()
        ? List.of(new Access(true, "safemode_leave", null, null), access)
        : List.of(access);
  }

  private static String rename(Rename2RequestProto request) {
    List<Options.Rename> options = new ArrayList<>();
    if (request.getOverwriteDest()) {
      options.add(Options.Rename.OVERWRITE);
    }
    if (request.getMoveToTrash()) {
      options.add(Options.Rename.TO_TRASH);
    }
    if (options.isEmpty()) {
      options.add(Options.Rename.NONE);
    }
    return "rename (options=" + options + ")";
  }

  /** Source: {@code FSNamesystem.getQuotaCommand}. */
  private static String quota(SetQuotaRequestProto request) {
    boolean keepsSpace = request.getStoragespaceQuota() == HdfsConstants.QUOTA_DONT_SET;
    if (request.getNamespaceQuota() == HdfsConstants.QUOTA_RESET && keepsSpace) {
      return "clearQuota";
    }
    if (request.getNamespaceQuota() == HdfsConstants.QUOTA_DONT_SET
        && request.getStoragespaceQuota() == HdfsConstants.QUOTA_RESET) {
      return "clearSpaceQuota";
    }
    return keepsSpace ? "setQuota" : "setSpaceQuota";
  }

  /** First what was refused, then all that the call was done with. */
  private static List<Access> batchedListing(Message request, @Nullable Message reply) {
    GetBatchedListingRequestProto asked = (GetBatchedListingRequestProto) request;
    GetBatchedListingResponseProto told =
        (GetBatchedListingResponseProto) Objects.requireNonNull(reply, "the call succeeded");
    List<String> paths = asked.getPathsList();
    List<Access> accesses = new ArrayList<>();
    for (BatchedDirectoryListingProto listing : told.getListingsList()) {
      if (listing.hasException()
          && listing.getException().getClassName().equals(AccessControlException.class.getName())) {
        accesses.add(new Access(false, "listStatus", paths.get(listing.getParentIdx()), null));
      }
    }
    int end = told.getHasMore() ? pathIndex(told.getStartAfter()) : paths.size();
    for (int i = pathIndex(asked.getStartAfter()); i < Math.min(end, paths.size()); i++) {
      accesses.add(new Access(true, "listStatus", paths.get(i), null));
    }
    return accesses;
  }

  private static int pathIndex(ByteString place) {
    try {
      return place.isEmpty() ? 0 : BatchedListingKeyProto.parseFrom(place).getPathIndex();
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("No place in a batched listing", e);
    }
  }
}
