package io.acaciafs.bench.scale;

import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.LocalHBaseOptions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Starts the HBase of a benchmark. */
public final class BenchHBase {
  private BenchHBase() {}

  /**
   * Starts it, with an HDFS beside it.
   *
   * @param servers region servers, at least two: one alone would be on local files
   * @param heapMb of each
   * @param jvmOptions of each
   */
  public static LocalHBase start(Path folder, int servers, int heapMb, List<String> jvmOptions)
      throws IOException {
    String classPath = System.getProperty("acacia.hbase.classpath");
    if (classPath == null) {
      throw new IOException("Start it with bin/acacia, which knows where HBase's jars are.");
    }
    try {
      return LocalHBase.start(
          new LocalHBaseOptions(
              folder,
              Path.of(classPath),
              servers,
              heapMb,
              jvmOptions,
              LocalHBaseOptions.PATIENT_SESSION_MS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while HBase started");
    }
  }

  /**
   * Settings of a NameNode that serves from a table of it; a new map, which the caller may change.
   *
   * @param coprocessor as {@code acacia.store.hbase.coprocessor} has it
   */
  public static Map<String, String> storeSettings(
      LocalHBase hbase, String table, String coprocessor) {
    Map<String, String> settings = new HashMap<>();
    settings.put("acacia.store.engine", "hbase");
    settings.put("acacia.store.hbase.zookeeper", hbase.zooKeeper());
    settings.put("acacia.store.hbase.table", table);
    settings.put("acacia.store.hbase.coprocessor", coprocessor);
    return settings;
  }
}
