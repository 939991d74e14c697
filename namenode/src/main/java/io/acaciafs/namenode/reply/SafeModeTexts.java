package io.acaciafs.namenode.reply;

import static java.util.Map.entry;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ExtendedBlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * The methods that safe mode refuses, and how HDFS's refusals begin: source is FSNamesystem of HDFS
 * 3.5, its missing blanks included.
 */
final class SafeModeTexts {
  private static final Map<String, Function<Message, String>> TEXTS =
      Map.ofEntries(
          of("setPermission", "Cannot set permission for ", "src"),
          of("setOwner", "Cannot set owner for ", "src"),
          of("concat", "Cannot concat ", "trg"),
          of("setTimes", "Cannot set times ", "src"),
          of("truncate", "Cannot truncate for ", "src"),
          of("createSymlink", "Cannot create symlink ", "link"),
          of("setReplication", "Cannot set replication for ", "src"),
          of("setStoragePolicy", "Cannot set storage policy for ", "src"),
          of("unsetStoragePolicy", "Cannot unset storage policy for ", "src"),
          of("create", "Cannot create file", "src"),
          of("recoverLease", "Cannot recover the lease of ", "src"),
          of("append", "Cannot append to file", "src"),
          of("addBlock", "Cannot add block to ", "src"),
          entry(
              "getAdditionalDatanode",
              request ->
                  "Cannot add datanode; src="
                      + value(request, "src")
                      + ", blk="
                      + value(request, "blk")),
          entry(
              "abandonBlock",
              request ->
                  "Cannot abandon block "
                      + value(request, "b")
                      + " for file"
                      + value(request, "src")),
          of("complete", "Cannot complete file ", "src"),
          of("rename", "Cannot rename ", "src"),
          of("rename2", "Cannot rename ", "src"),
          of("delete", "Cannot delete ", "src"),
          of("mkdirs", "Cannot create directory ", "src"),
          of("setQuota", "Cannot set quota on ", "path"),
          of("fsync", "Cannot fsync file ", "src"),
          entry("rollEdits", request -> "Log not rolled"),
          of("renewLease", "Cannot renew lease for ", "clientName"),
          of(
              "updateBlockForPipeline",
              "Cannot get a new generation stamp and an access token for block ",
              "block"),
          entry("updatePipeline", request -> "Pipeline not updated"),
          entry(
              "commitBlockSynchronization",
              request -> "Cannot commitBlockSynchronization while in safe mode"),
          of("allowSnapshot", "Cannot allow snapshot for ", "snapshotRoot"),
          of("disallowSnapshot", "Cannot disallow snapshot for ", "snapshotRoot"),
          of("createSnapshot", "Cannot create snapshot for ", "snapshotRoot"),
          of("renameSnapshot", "Cannot rename snapshot for ", "snapshotRoot"),
          of("deleteSnapshot", "Cannot delete snapshot for ", "snapshotRoot"),
          of("modifyAclEntries", "Cannot modify ACL entries on ", "src"),
          of("removeAclEntries", "Cannot remove ACL entries on ", "src"),
          of("removeDefaultAcl", "Cannot remove default ACL entries on ", "src"),
          of("removeAcl", "Cannot remove ACL on ", "src"),
          of("setAcl", "Cannot set ACL on ", "src"),
          of("setXAttr", "Cannot set XAttr on ", "src"),
          of("removeXAttr", "Cannot remove XAttr entry on ", "src"),
          of("setErasureCodingPolicy", "Cannot set erasure coding policy on ", "src"),
          of("unsetErasureCodingPolicy", "Cannot unset erasure coding policy on ", "src"),
          entry(
              "reencryptEncryptionZone",
              request ->
                  "NameNode in safemode, cannot "
                      + value(request, "action").toString().replace("_REENCRYPT", "")
                      + " re-encryption on zone "
                      + value(request, "zone")),
          entry("addErasureCodingPolicies", request -> "Cannot add erasure coding policy"),
          of("removeErasureCodingPolicy", "Cannot remove erasure coding policy ", "ecPolicyName"),
          of("enableErasureCodingPolicy", "Cannot enable erasure coding policy ", "ecPolicyName"),
          of("disableErasureCodingPolicy", "Cannot disable erasure coding policy ", "ecPolicyName"),
          entry("addCacheDirective", request -> "Cannot add cache directive"),
          entry("modifyCacheDirective", request -> "Cannot add cache directive"),
          entry("removeCacheDirective", request -> "Cannot remove cache directives"),
          entry(
              "addCachePool",
              request ->
                  "Cannot add cache pool" + value((Message) value(request, "info"), "poolName")),
          entry(
              "modifyCachePool",
              request ->
                  "Cannot modify cache pool" + value((Message) value(request, "info"), "poolName")),
          of("removeCachePool", "Cannot modify cache pool", "poolName"),
          entry("getDelegationToken", request -> "Cannot issue delegation token"),
          entry("renewDelegationToken", request -> "Cannot renew delegation token"),
          entry("cancelDelegationToken", request -> "Cannot cancel delegation token"));

  private SafeModeTexts() {}

  static Set<String> methods() {
    return TEXTS.keySet();
  }

  /** What a call of one of the {@link #methods} cannot do. */
  static String of(String method, Message request) {
    return Objects.requireNonNull(TEXTS.get(method), method).apply(request);
  }

  private static Map.Entry<String, Function<Message, String>> of(
      String method, String beginning, String field) {
    return entry(method, request -> beginning + value(request, field));
  }

  private static Object value(Message request, String name) {
    FieldDescriptor field = request.getDescriptorForType().findFieldByName(name);
    Object value = request.getField(field);
    return value instanceof ExtendedBlockProto block ? PBHelperClient.convert(block) : value;
  }
}
