package io.acaciafs.namespace.op.policy;

import io.acaciafs.namespace.record.Inode;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.WritableUtils;
import org.jspecify.annotations.Nullable;

/**
 * Of the erasure coding policies that HDFS has, plain replication alone can be used, as on an HDFS
 * where none is enabled. A directory keeps its policy as an attribute that no client sees. Source:
 * ErasureCodingPolicyManager and FSDirErasureCodingOp.
 */
public final class ErasureCodingRules {
  private ErasureCodingRules() {}

  /**
   * @throws UnsupportedOperationException when it is a policy of HDFS that really codes
   * @throws HadoopIllegalArgumentException when there is none of this name
   */
  public static ErasureCodingPolicy usable(String name) {
    ErasureCodingPolicy replication = SystemErasureCodingPolicies.getReplicationPolicy();
    if (name.equalsIgnoreCase(replication.getName())) {
      return replication;
    }
    if (SystemErasureCodingPolicies.getByName(name) != null) {
      throw new UnsupportedOperationException(
          "Acacia does not support the erasure coding policy " + name + " yet");
    }
    throw new HadoopIllegalArgumentException(
        "Policy '"
            + name
            + "' does not match any enabled erasure coding policies: []. An erasure coding policy"
            + " can be enabled by enableErasureCodingPolicy API.");
  }

  /** The attribute of a directory with this policy, as HDFS's images have it. */
  static XAttr attribute(ErasureCodingPolicy policy) throws IOException {
    try (DataOutputBuffer value = new DataOutputBuffer()) {
      WritableUtils.writeString(value, policy.getName());
      return XAttrHelper.buildXAttr(
          HdfsServerConstants.XATTR_ERASURECODING_POLICY,
          Arrays.copyOf(value.getData(), value.getLength()));
    }
  }

  /** The attribute that the inode itself has; null where it has none. */
  static @Nullable XAttr ownAttribute(Inode inode) {
    XAttr wanted = XAttrHelper.buildXAttr(HdfsServerConstants.XATTR_ERASURECODING_POLICY);
    return inode.features().xattrs().stream()
        .filter(wanted::equalsIgnoreValue)
        .findFirst()
        .orElse(null);
  }
}
