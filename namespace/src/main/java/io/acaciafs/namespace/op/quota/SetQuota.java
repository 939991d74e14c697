package io.acaciafs.namespace.op.quota;

import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Quota;
import io.acaciafs.namespace.run.AtMostOnce;
import io.acaciafs.namespace.settings.FeatureSettings;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.fs.PathIsNotDirectoryException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.namenode.UnsupportedActionException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * Limits what a directory may hold. The first quota of a directory counts all that is below it: not
 * for a network thread. A quota below what is there already only forbids more.
 *
 * @param names limit; HdfsConstants.QUOTA_DONT_SET: stays; QUOTA_RESET: none
 * @param spaceBytes limit of all replicas, or of those on one type of storage; the same
 * @param type null: all replicas
 */
public record SetQuota(String path, long names, long spaceBytes, @Nullable StorageType type)
    implements AtMostOnce.Done {
  /**
   * @throws IllegalArgumentException for other negative numbers
   * @throws UnsupportedActionException for a type of storage together with names, or when
   *     dfs.quota.by.storage.type.enabled is false
   * @throws FileNotFoundException when there is nothing
   * @throws PathIsNotDirectoryException when there is a file
   */
  @Override
  public Void run(Tree tree) throws IOException {
    boolean ownerMay = tree.settings().features().ownerSetsQuota();
    tree.permissions().nameOperation(hdfsName());
    if (!ownerMay) {
      tree.permissions().checkSuperuser(hdfsName(), path);
    }
    ResolvedPath resolved = tree.resolve(path, PathUse.WRITE);
    if (ownerMay) {
      checkParentOwner(tree, resolved);
    }
    checkArguments(tree.settings().features());
    DirectoryInode directory = requireDirectory(resolved);
    Quota before = directory.features().quota();
    Quota after = change(before);
    if (after.equals(before)) {
      return null;
    }
    tree.update(resolved, directory.with(directory.features().withQuota(after)));
    if (!before.isSet()) {
      tree.quotas().begin(resolved, directory);
    } else if (!after.isSet()) {
      tree.quotas().end(directory);
    }
    return null;
  }

  /** What HDFS calls this operation in its refusals and in its audit log. */
  public String hdfsName() {
    if (names == HdfsConstants.QUOTA_RESET && spaceBytes == HdfsConstants.QUOTA_DONT_SET) {
      return "clearQuota";
    }
    if (names == HdfsConstants.QUOTA_DONT_SET && spaceBytes == HdfsConstants.QUOTA_RESET) {
      return "clearSpaceQuota";
    }
    return spaceBytes == HdfsConstants.QUOTA_DONT_SET ? "setQuota" : "setSpaceQuota";
  }

  private static void checkParentOwner(Tree tree, ResolvedPath path) throws AccessControlException {
    if (!tree.settings().permissions().isEnabled() || tree.caller().isSuperuser()) {
      return;
    }
    ResolvedPath parent = path.withoutName();
    if (parent != null && parent.exists() && isOwned(tree, parent)) {
      return;
    }
    throw new AccessControlException(
        "Access denied for user "
            + tree.caller().user()
            + ". Superuser or owner of parent folder privilege is required");
  }

  private static boolean isOwned(Tree tree, ResolvedPath path) {
    try {
      tree.permissions().checkOwner(path);
      return true;
    } catch (AccessControlException e) {
      return false; // HDFS has words of its own here
    }
  }

  private void checkArguments(FeatureSettings settings) throws UnsupportedActionException {
    if (isWrong(names) || isWrong(spaceBytes)) {
      throw new IllegalArgumentException(
          "Illegal value for nsQuota or ssQuota : " + names + " and " + spaceBytes);
    }
    if (type != null
        && (!settings.quotaByStorageTypeEnabled() || names != HdfsConstants.QUOTA_DONT_SET)) {
      throw new UnsupportedActionException(
          "Failed to set quota by storage type because either"
              + "dfs.quota.by.storage.type.enabled is set to "
              + settings.quotaByStorageTypeEnabled()
              + " or nsQuota value is illegal "
              + names);
    }
  }

  private static boolean isWrong(long quota) {
    return quota < 0 && quota != HdfsConstants.QUOTA_RESET;
  }

  private static DirectoryInode requireDirectory(ResolvedPath path) throws IOException {
    if (!path.exists()) {
      throw new FileNotFoundException("Directory does not exist: " + path);
    }
    if (path.inode() instanceof DirectoryInode directory) {
      return directory;
    }
    throw new PathIsNotDirectoryException(path.toString());
  }

  private Quota change(Quota before) {
    if (type == null) {
      return new Quota(
          kept(names, before.names()), kept(spaceBytes, before.spaceBytes()), before.typeBytes());
    }
    Map<StorageType, Long> types = new EnumMap<>(StorageType.class);
    types.putAll(before.typeBytes());
    if (spaceBytes == HdfsConstants.QUOTA_RESET) {
      types.remove(type);
    } else if (spaceBytes != HdfsConstants.QUOTA_DONT_SET) {
      types.put(type, spaceBytes);
    }
    return new Quota(before.names(), before.spaceBytes(), types);
  }

  private static long kept(long wanted, long before) {
    return wanted == HdfsConstants.QUOTA_DONT_SET ? before : wanted;
  }
}
