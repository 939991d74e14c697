package io.acaciafs.namespace.model;

import io.acaciafs.namespace.op.directory.GetBatchedListing;
import io.acaciafs.namespace.op.directory.GetListing;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.Quota;
import io.acaciafs.namespace.record.SymlinkInode;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.settings.StoragePolicies;
import io.acaciafs.namespace.tree.InodeStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.hdfs.XAttrHelper;

/** What the namespace answers, in the words of the model. */
final class Rendering {
  private static final StoragePolicies POLICIES =
      NamespaceSettings.defaults("").features().storagePolicies();

  private Rendering() {}

  static String describe(InodeStatus status) {
    Inode inode = status.inode();
    FileInode file = inode instanceof FileInode f ? f : null;
    return String.join(
        " ",
        new String(status.localName(), StandardCharsets.UTF_8),
        inode instanceof SymlinkInode link ? "l" + link.target() : file == null ? "d" : "-",
        inode.attributes().owner(),
        inode.attributes().group(),
        Integer.toOctalString(inode.attributes().mode()),
        "m" + status.modificationTimeMs(),
        "a" + inode.attributes().accessTimeMs(),
        inode.isDirectory()
            ? "n" + status.children()
            : file == null
                ? "r0 b0/0"
                : "r" + file.replication() + " b" + file.lengthBytes() + "/" + file.blocks().size(),
        file == null || file.writer() == null ? "" : file.writer().clientName(),
        entries(inode.features().acl().access()).toString(),
        entries(inode.features().acl().defaults()).toString(),
        inode.features().xattrs().stream()
            .collect(
                Collectors.toMap(
                    XAttrHelper::getPrefixedName, Rendering::value, (a, b) -> a, TreeMap::new))
            .toString(),
        inode.features().storagePolicyId() == 0
            ? "null"
            : POLICIES.policy(inode.features().storagePolicyId()).getName(),
        limits(inode.features().quota()).toString());
  }

  private static Map<String, Integer> entries(List<AclEntry> acl) {
    Map<String, Integer> entries = new TreeMap<>();
    for (AclEntry entry : acl) {
      String key = entry.getType().toString().toLowerCase() + ":";
      entries.put(
          entry.getName() == null ? key : key + entry.getName(), entry.getPermission().ordinal());
    }
    return entries;
  }

  static String value(XAttr xattr) {
    byte[] value = xattr.getValue();
    return value == null ? "" : new String(value, StandardCharsets.UTF_8);
  }

  private static Map<String, Long> limits(Quota quota) {
    Map<String, Long> limits = new TreeMap<>();
    limits.put(ModelQuotas.NAMES, quota.names());
    limits.put(ModelQuotas.SPACE, quota.spaceBytes());
    quota.typeBytes().forEach((type, bytes) -> limits.put(type.name(), bytes));
    limits.values().removeIf(limit -> limit < 0);
    return limits;
  }

  /** Of a directory with a quota. */
  static String describe(Quota quota, QuotaUsage usage) {
    Map<String, Long> used = new TreeMap<>();
    for (String what : ModelQuotas.ALL) {
      used.put(
          what,
          switch (what) {
            case ModelQuotas.NAMES -> usage.getFileAndDirectoryCount();
            case ModelQuotas.SPACE -> usage.getSpaceConsumed();
            default -> usage.getTypeConsumed(StorageType.valueOf(what));
          });
    }
    return limits(quota) + " " + used;
  }

  static String describe(AclStatus status) {
    return Integer.toOctalString(status.getPermission().toShort())
        + entries(entriesOf(status, AclEntryScope.ACCESS))
        + entries(entriesOf(status, AclEntryScope.DEFAULT));
  }

  private static List<AclEntry> entriesOf(AclStatus status, AclEntryScope scope) {
    return status.getEntries().stream().filter(entry -> entry.getScope() == scope).toList();
  }

  static String describe(GetListing.Page page) {
    StringBuilder text = new StringBuilder();
    for (InodeStatus entry : page.entries()) {
      if (entry.inode().id() == 0) {
        return "reserved";
      }
      text.append(describe(entry)).append(';');
    }
    return text + (page.hasMore() ? "..." : "");
  }

  static String describe(GetBatchedListing.Batch batch) {
    StringBuilder text = new StringBuilder();
    for (GetBatchedListing.Listing listing : batch.listings()) {
      text.append(listing.path())
          .append(": ")
          .append(
              listing.page() == null
                  ? listing.refusal().getClass().getName()
                  : describe(listing.page()))
          .append('\n');
    }
    return batch.nextPath() == null
        ? text.toString()
        : text
            + "next "
            + batch.nextPath()
            + " "
            + new String(batch.nextStartAfter(), StandardCharsets.UTF_8);
  }

  static String describe(ContentSummary summary) {
    return summary.getFileCount()
        + " "
        + summary.getDirectoryCount()
        + " "
        + summary.getLength()
        + " "
        + summary.getSpaceConsumed();
  }
}
