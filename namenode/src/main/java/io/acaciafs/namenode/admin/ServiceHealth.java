package io.acaciafs.namenode.admin;

import org.apache.hadoop.ha.HealthCheckFailedException;
import org.jspecify.annotations.Nullable;

/**
 * Whether a NameNode can do its work, as {@code hdfs haadmin} asks. Safe for use by many threads.
 */
public interface ServiceHealth {
  /**
   * May read the store, and ask the disk.
   *
   * @throws HealthCheckFailedException with a sentence for people, when it cannot
   */
  void check() throws HealthCheckFailedException;

  /** Why the NameNode cannot become active now, in words for people; null: it can, or is. Quick. */
  @Nullable String obstacle();
}
