package io.acaciafs.kv.hbase.client;

import io.acaciafs.kv.hbase.schema.RegionRequest;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;

/** Sends conditional requests to regions. Safe for use by many threads. */
@FunctionalInterface
public interface RequestSender {
  /**
   * Sends a request once.
   *
   * @return completes on a network thread: do not block there; fails if the table is read-only
   */
  CompletableFuture<Outcome> send(HRegionLocation region, RegionRequest request);
}
