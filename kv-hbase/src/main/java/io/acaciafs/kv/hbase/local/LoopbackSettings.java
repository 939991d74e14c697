package io.acaciafs.kv.hbase.local;

import java.util.LinkedHashMap;
import java.util.Map;

/** Settings of HBase for servers that share this machine and are small. Stateless. */
public final class LoopbackSettings {
  private static final String WAL_CODEC = "org.apache.hadoop.hbase.regionserver.wal.WALCellCodec";

  private LoopbackSettings() {}

  /** A new map, which the caller may change. */
  public static Map<String, String> make() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("hbase.cluster.distributed", "true");
    settings.put("hbase.master.hostname", "localhost");
    settings.put("hbase.master.ipc.address", "127.0.0.1");
    settings.put("hbase.master.info.port", "-1");
    settings.put("hbase.regionserver.ipc.address", "127.0.0.1");
    settings.put("hbase.regionserver.info.port", "-1");
    settings.put("hbase.unsafe.regionserver.hostname", "localhost");
    settings.put("hbase.netty.worker.count", "1"); // of each server: all share a machine
    settings.put("hbase.regionserver.wal.codec", WAL_CODEC);
    settings.put("hfile.block.cache.size", "0.3"); // 0.4, less what the coprocessor's rows take
    settings.put("hbase.procedure.remote.dispatcher.delay.msec", "20");
    // A region that was cut can be cut again as soon as its parent's files are put away.
    settings.put("hbase.hfile.compaction.discharger.interval", "1000");
    settings.put("hbase.master.wait.on.regionservers.mintostart", "1");
    settings.put("hbase.master.wait.on.regionservers.timeout", "1000");
    settings.put("hbase.master.wait.on.regionservers.interval", "200");
    return settings;
  }
}
