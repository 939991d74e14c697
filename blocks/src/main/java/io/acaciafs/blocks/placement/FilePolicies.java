package io.acaciafs.blocks.placement;

import io.acaciafs.kv.Reader;

/** Tells the storage policies of files to repair, which knows their blocks alone. */
@FunctionalInterface
public interface FilePolicies {
  /** Every file has the default policy. */
  FilePolicies NONE = (reader, fileId) -> 0;

  /**
   * HDFS's id of the policy that a file has or inherits, as it was a moment ago. Guards nothing.
   *
   * @return 0 where there is none, or no such file
   */
  byte policyIdOf(Reader reader, long fileId);
}
