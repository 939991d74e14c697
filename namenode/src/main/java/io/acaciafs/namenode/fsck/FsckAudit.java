package io.acaciafs.namenode.fsck;

import io.acaciafs.namenode.audit.Access;
import io.acaciafs.namenode.audit.AuditLine;
import io.acaciafs.namenode.audit.AuditLog;
import java.net.InetSocketAddress;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Lines of the audit log about checks: with no protocol, as HDFS's. A check that ended is allowed,
 * whatever it found; what it refused on the way has a line before. Stateless.
 */
final class FsckAudit {
  private FsckAudit() {}

  static void add(AuditLog log, UserGroupInformation user, InetSocketAddress from, Access access) {
    if (log.isOn()) {
      log.add(new AuditLine(user.toString(), from, access, null, null, null, null));
    }
  }
}
