package io.acaciafs.namenode.settings;

import io.acaciafs.kv.Store;
import io.acaciafs.namespace.settings.AclSettings;
import io.acaciafs.namespace.settings.DirectorySettings;
import io.acaciafs.namespace.settings.FeatureSettings;
import io.acaciafs.namespace.settings.LimitSettings;
import io.acaciafs.namespace.settings.NamespaceConfigKeys;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.settings.PermissionSettings;
import io.acaciafs.namespace.settings.StoragePolicies;
import io.acaciafs.namespace.settings.StoragePolicyAccess;
import io.acaciafs.namespace.settings.XAttrSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the namespace is told of the site: limits, features, protected directories. Stateless. */
public final class NamespaceConfig {
  private static final Logger LOG = LoggerFactory.getLogger(NamespaceConfig.class);
  private static final String HDFS_DEFAULTS = "hdfs-default.xml";
  private static final long SPLIT_THRESHOLD_WHERE_SPREAD = 20_000;

  private NamespaceConfig() {}

  public static NamespaceSettings namespace(Configuration conf) throws IOException {
    return new NamespaceSettings(
        new PermissionSettings(
            UserGroupInformation.getCurrentUser().getShortUserName(),
            conf.get(
                DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY,
                DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT),
            conf.getBoolean(
                DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY,
                DFSConfigKeys.DFS_PERMISSIONS_ENABLED_DEFAULT)),
        limits(conf),
        conf.getLong(
            DFSConfigKeys.DFS_NAMENODE_ACCESSTIME_PRECISION_KEY,
            DFSConfigKeys.DFS_NAMENODE_ACCESSTIME_PRECISION_DEFAULT),
        TimeUnit.SECONDS.toMillis(
            conf.getLong(
                HdfsClientConfigKeys.DFS_LEASE_HARDLIMIT_KEY,
                HdfsClientConfigKeys.DFS_LEASE_HARDLIMIT_DEFAULT)),
        retryExpiryMs(conf),
        features(conf),
        DirectorySettings.DEFAULTS);
  }

  private static LimitSettings limits(Configuration conf) {
    return new LimitSettings(
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_MAX_COMPONENT_LENGTH_KEY,
            DFSConfigKeys.DFS_NAMENODE_MAX_COMPONENT_LENGTH_DEFAULT),
        maxDirectoryItems(conf),
        conf.getLongBytes(
            DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY,
            DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_DEFAULT),
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_MAX_BLOCKS_PER_FILE_KEY,
            (int) DFSConfigKeys.DFS_NAMENODE_MAX_BLOCKS_PER_FILE_DEFAULT),
        (short)
            conf.getInt(
                DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY,
                DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_DEFAULT),
        (short)
            conf.getInt(
                DFSConfigKeys.DFS_REPLICATION_MAX_KEY, DFSConfigKeys.DFS_REPLICATION_MAX_DEFAULT),
        conf.getInt(DFSConfigKeys.DFS_LIST_LIMIT, DFSConfigKeys.DFS_LIST_LIMIT_DEFAULT));
  }

  /** fs.protected.directories, of which HDFS passes over the same: those that are no path here. */
  public static List<String> protectedDirectories(Configuration conf) {
    String key = CommonConfigurationKeysPublic.FS_PROTECTED_DIRECTORIES;
    List<String> directories = new ArrayList<>();
    for (String named : conf.getTrimmedStringCollection(key)) {
      Path path = new Path(named);
      if (path.isAbsoluteAndSchemeAuthorityNull() && !isReserved(path)) {
        directories.add(path.toString());
      } else {
        LOG.error("{} protects nothing at '{}': it is no path of this file system", key, named);
      }
    }
    return directories;
  }

  private static boolean isReserved(Path path) {
    return (path + "/").startsWith("/.reserved/");
  }

  public static boolean protectsBelow(Configuration conf) {
    return conf.getBoolean(
        DFSConfigKeys.DFS_PROTECTED_SUBDIRECTORIES_ENABLE,
        DFSConfigKeys.DFS_PROTECTED_SUBDIRECTORIES_ENABLE_DEFAULT);
  }

  public static long retryExpiryMs(Configuration conf) {
    return conf.getLong(
        DFSConfigKeys.DFS_NAMENODE_RETRY_CACHE_EXPIRYTIME_MILLIS_KEY,
        DFSConfigKeys.DFS_NAMENODE_RETRY_CACHE_EXPIRYTIME_MILLIS_DEFAULT);
  }

  /** How directories grow: over several buckets where these lie on several servers. */
  public static DirectorySettings directories(Configuration conf, Store.Traits store) {
    return new DirectorySettings(
        1,
        NamespaceConfigKeys.SPLIT_THRESHOLD.in(
            conf::getTrimmed, store.partitionsSpread() ? SPLIT_THRESHOLD_WHERE_SPREAD : 0));
  }

  private static FeatureSettings features(Configuration conf) throws IOException {
    int maxXAttrSizeBytes =
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_MAX_XATTR_SIZE_KEY,
            DFSConfigKeys.DFS_NAMENODE_MAX_XATTR_SIZE_DEFAULT);
    if (maxXAttrSizeBytes <= 0
        || maxXAttrSizeBytes > DFSConfigKeys.DFS_NAMENODE_MAX_XATTR_SIZE_HARD_LIMIT) {
      throw new IOException(
          DFSConfigKeys.DFS_NAMENODE_MAX_XATTR_SIZE_KEY
              + " is not between 1 and "
              + DFSConfigKeys.DFS_NAMENODE_MAX_XATTR_SIZE_HARD_LIMIT
              + ": "
              + maxXAttrSizeBytes);
    }
    return new FeatureSettings(
        new AclSettings(
            conf.getBoolean(
                DFSConfigKeys.DFS_NAMENODE_ACLS_ENABLED_KEY,
                DFSConfigKeys.DFS_NAMENODE_ACLS_ENABLED_DEFAULT),
            conf.getBoolean(
                DFSConfigKeys.DFS_NAMENODE_POSIX_ACL_INHERITANCE_ENABLED_KEY,
                DFSConfigKeys.DFS_NAMENODE_POSIX_ACL_INHERITANCE_ENABLED_DEFAULT)),
        new XAttrSettings(
            conf.getBoolean(
                DFSConfigKeys.DFS_NAMENODE_XATTRS_ENABLED_KEY,
                DFSConfigKeys.DFS_NAMENODE_XATTRS_ENABLED_DEFAULT),
            conf.getInt(
                DFSConfigKeys.DFS_NAMENODE_MAX_XATTRS_PER_INODE_KEY,
                DFSConfigKeys.DFS_NAMENODE_MAX_XATTRS_PER_INODE_DEFAULT),
            maxXAttrSizeBytes),
        new StoragePolicyAccess(
            conf.getBoolean(
                DFSConfigKeys.DFS_STORAGE_POLICY_ENABLED_KEY,
                DFSConfigKeys.DFS_STORAGE_POLICY_ENABLED_DEFAULT),
            conf.getBoolean(
                DFSConfigKeys.DFS_STORAGE_POLICY_PERMISSIONS_SUPERUSER_ONLY_KEY,
                DFSConfigKeys.DFS_STORAGE_POLICY_PERMISSIONS_SUPERUSER_ONLY_DEFAULT)),
        conf.getBoolean(
            DFSConfigKeys.DFS_QUOTA_BY_STORAGETYPE_ENABLED_KEY,
            DFSConfigKeys.DFS_QUOTA_BY_STORAGETYPE_ENABLED_DEFAULT),
        conf.getBoolean(
            DFSConfigKeys.DFS_PERMISSIONS_ALLOW_OWNER_SET_QUOTA_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_ALLOW_OWNER_SET_QUOTA_DEFAULT),
        new StoragePolicies(
            conf.getEnum(
                DFSConfigKeys.DFS_STORAGE_DEFAULT_POLICY,
                DFSConfigKeys.DFS_STORAGE_DEFAULT_POLICY_DEFAULT)),
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_LIST_OPENFILES_NUM_RESPONSES,
            DFSConfigKeys.DFS_NAMENODE_LIST_OPENFILES_NUM_RESPONSES_DEFAULT));
  }

  /** Not HDFS's default of a million: directories have no limit here unless one is asked for. */
  public static int maxDirectoryItems(Configuration conf) {
    String key = DFSConfigKeys.DFS_NAMENODE_MAX_DIRECTORY_ITEMS_KEY;
    String[] sources = conf.getPropertySources(key);
    boolean isDefault = sources == null || sources[sources.length - 1].equals(HDFS_DEFAULTS);
    int items = isDefault ? 0 : conf.getInt(key, 0);
    if (items < 0) {
      throw new IllegalArgumentException("Cannot set " + key + " to a value less than 1");
    }
    return items;
  }

  /** HDFS has no setting: there it is a static method, which only tests call. */
  public static boolean symlinksEnabled(Configuration conf) {
    return NamespaceConfigKeys.SYMLINKS_ENABLED.in(conf::getTrimmed);
  }
}
