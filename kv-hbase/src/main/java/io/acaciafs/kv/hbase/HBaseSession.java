package io.acaciafs.kv.hbase;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Peers;
import io.acaciafs.kv.Session;
import io.acaciafs.kv.hbase.region.Assignments;
import io.acaciafs.kv.hbase.schema.RowKeys;
import java.util.concurrent.CompletableFuture;

/** How this process takes part in a table that several processes use. Safe for many threads. */
final class HBaseSession implements Session {
  private final HBaseServices services;

  HBaseSession(HBaseServices services) {
    this.services = services;
  }

  @Override
  public void bindTo(Key session) {
    services.threads().checkOpen();
    services.membership().bind(session);
    assignments().bind();
  }

  @Override
  public void connect(Peers peers) {
    services.threads().checkOpen();
    assignments().connect(peers);
  }

  @Override
  public void rely() {
    assignments().rely();
  }

  @Override
  public CompletableFuture<String> receive(String message) {
    return assignments().receive(message);
  }

  @Override
  public CompletableFuture<Void> fenceOff(Key session) {
    services.threads().checkOpen();
    return services.threads().runIsolated(() -> services.fencing().fenceOff(RowKeys.of(session)));
  }

  @Override
  public CompletableFuture<Void> settle() {
    return services.tokens().settle();
  }

  private Assignments assignments() {
    return services.table().regions().assignments();
  }
}
