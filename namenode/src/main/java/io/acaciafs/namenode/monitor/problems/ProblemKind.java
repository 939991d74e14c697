package io.acaciafs.namenode.monitor.problems;

import java.util.Locale;

/** What can be wrong. Each has a section in docs/troubleshooting.md, named like the kind. */
public enum ProblemKind {
  STORE_NOT_WRITABLE(Severity.ERROR, "The store takes no writes"),
  STORE_SILENT(Severity.ERROR, "The store does not answer"),
  DISK_NEARLY_FULL(Severity.ERROR, "The disk of the NameNode is nearly full"),
  NO_LEADER(Severity.ERROR, "No NameNode leads"),
  REGIONS_OFFLINE(Severity.ERROR, "Regions of HBase are not online"),
  MISSING_BLOCKS(Severity.ERROR, "Blocks are missing"),
  CORRUPT_BLOCKS(Severity.ERROR, "Blocks are corrupt"),
  NO_DATANODES(Severity.ERROR, "No DataNode is live"),
  SAFE_MODE(Severity.WARNING, "The NameNode is in safe mode"),
  LOW_REDUNDANCY(Severity.WARNING, "Blocks have too few replicas"),
  DEAD_DATANODES(Severity.WARNING, "DataNodes are dead"),
  STALE_DATANODES(Severity.WARNING, "DataNodes are stale"),
  FAILED_VOLUMES(Severity.WARNING, "Volumes of DataNodes have failed"),
  CAPACITY_NEARLY_FULL(Severity.WARNING, "The DataNodes are nearly full"),
  NAMENODE_DEAD(Severity.WARNING, "A NameNode has ended without a word"),
  FOLLOWER_SILENT(Severity.WARNING, "A NameNode that stands by does not answer"),
  FOLLOWER_BEHIND(Severity.WARNING, "A NameNode that stands by lags"),
  NO_MASTER(Severity.WARNING, "No master of HBase answers"),
  DEAD_REGION_SERVERS(Severity.WARNING, "Region servers of HBase are dead"),
  COPROCESSOR_MISSING(Severity.WARNING, "Regions are without Acacia's coprocessor"),
  COPROCESSOR_OLD(Severity.WARNING, "Regions have an older coprocessor"),
  LEASES_STUCK(Severity.WARNING, "Files cannot be closed without their writers"),
  TASK_FAILS(Severity.WARNING, "Work in the background fails"),
  BACKUP_MISSING(Severity.WARNING, "A rolling upgrade has no backup"),
  CALLS_REFUSED(Severity.WARNING, "Calls are refused, as too many wait"),
  QUEUE_NEARLY_FULL(Severity.WARNING, "A queue is nearly full"),
  AUDIT_DROPPED(Severity.WARNING, "The audit log has gaps"),
  HEAP_NEARLY_FULL(Severity.WARNING, "The heap is nearly full"),
  LONG_PAUSES(Severity.WARNING, "Garbage collection takes much time"),
  FEW_FILE_DESCRIPTORS(Severity.WARNING, "The process may open few more files"),
  CLOCK_SET(Severity.WARNING, "The clock was set"),
  SETTINGS_NOT_HONOURED(Severity.NOTE, "Settings have no effect");

  private final Severity severity;
  private final String title;

  ProblemKind(Severity severity, String title) {
    this.severity = severity;
    this.title = title;
  }

  public Severity severity() {
    return severity;
  }

  /** For people. */
  public String title() {
    return title;
  }

  /** Of its section in docs/troubleshooting.md. */
  public String anchor() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
