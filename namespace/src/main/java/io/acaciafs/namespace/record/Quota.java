package io.acaciafs.namespace.record;

import java.util.Map;
import org.apache.hadoop.fs.StorageType;

/**
 * The limits of a directory; a number less than 0 is no limit.
 *
 * @param names of the directory itself and all that is below
 * @param spaceBytes of all replicas
 * @param typeBytes of the replicas on one type of storage; types without a limit are absent
 */
public record Quota(long names, long spaceBytes, Map<StorageType, Long> typeBytes) {
  public static final Quota NONE = new Quota(-1, -1, Map.of());

  /** Whether it limits anything. */
  public boolean isSet() {
    return names >= 0 || spaceBytes >= 0 || !typeBytes.isEmpty();
  }

  public Quota {
    typeBytes = Map.copyOf(typeBytes);
  }
}
