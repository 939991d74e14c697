package io.acaciafs.namenode.audit;

import java.util.List;

/** Something for the audit log that becomes lines where there is time for it. Any thread. */
@FunctionalInterface
public interface AuditEvent {
  /** What there is to write; may be nothing. */
  List<AuditLine> lines();
}
