package io.acaciafs.namespace.op.quota;

import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.Quota;
import java.util.Arrays;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/** Quotas as clients see them. */
final class QuotaRules {
  private QuotaRules() {}

  /** HDFS gives the root a quota that nobody can reach. */
  static long namesQuota(ResolvedPath path) {
    long names = path.existing().features().quota().names();
    return path.isRoot() && names < 0 ? HdfsConstants.QUOTA_DONT_SET : names;
  }

  /** By the order of {@link StorageType}'s constants; -1 where there is none. */
  static long[] typeQuotas(Quota quota) {
    long[] limits = new long[StorageType.values().length];
    Arrays.fill(limits, HdfsConstants.QUOTA_RESET);
    quota.typeBytes().forEach((type, bytes) -> limits[type.ordinal()] = bytes);
    return limits;
  }
}
