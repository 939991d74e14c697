package io.acaciafs.kv.hbase.local;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How a local HBase is made.
 *
 * @param folder holds its data, configuration and logs; made when there is none
 * @param classPathFile a file with the class path of HBase's processes, as the build writes it to
 *     {@code hbase-server/target/classpath}
 * @param servers region servers; with one the data is in local files, with more in an HDFS that
 *     runs beside them, as only that fences a server that is taken for dead
 * @param serverHeapMb heap of a region server
 * @param serverJvmOptions further ones of a region server's JVM
 * @param sessionTimeoutMs after how long a silent region server is taken for dead
 * @param site what all of its processes have beyond that
 */
public record LocalHBaseOptions(
    Path folder,
    Path classPathFile,
    int servers,
    int serverHeapMb,
    List<String> serverJvmOptions,
    int sessionTimeoutMs,
    Site site) {

  /**
   * What a site has said to all processes of an HBase.
   *
   * @param settings of HBase and of Hadoop's libraries; they come before those of {@link
   *     LocalHBase}
   * @param jvmOptions further ones of each JVM
   */
  public record Site(Map<String, String> settings, List<String> jvmOptions) {
    /** Nothing. */
    public static final Site NONE = new Site(Map.of(), List.of());

    public Site {
      settings = Map.copyOf(settings);
      jvmOptions = List.copyOf(jvmOptions);
    }
  }

  /** A machine that stands still for a while has not lost its servers. */
  public static final int PATIENT_SESSION_MS = 60_000;

  /** Without anything of a site. */
  public LocalHBaseOptions(
      Path folder,
      Path classPathFile,
      int servers,
      int serverHeapMb,
      List<String> serverJvmOptions,
      int sessionTimeoutMs) {
    this(
        folder,
        classPathFile,
        servers,
        serverHeapMb,
        serverJvmOptions,
        sessionTimeoutMs,
        Site.NONE);
  }

  public LocalHBaseOptions {
    if (servers < 1) {
      throw new IllegalArgumentException("An HBase has at least one region server");
    }
    folder = folder.toAbsolutePath();
    serverJvmOptions = List.copyOf(serverJvmOptions);
  }

  /** With 512 MB a region server, and a minute before one is taken for dead. */
  public static LocalHBaseOptions of(Path folder, Path classPathFile, int servers) {
    return new LocalHBaseOptions(
        folder, classPathFile, servers, 512, List.of(), PATIENT_SESSION_MS);
  }

  public LocalHBaseOptions withSessionTimeoutMs(int timeoutMs) {
    return new LocalHBaseOptions(
        folder, classPathFile, servers, serverHeapMb, serverJvmOptions, timeoutMs, site);
  }

  public LocalHBaseOptions withSite(Site other) {
    return new LocalHBaseOptions(
        folder, classPathFile, servers, serverHeapMb, serverJvmOptions, sessionTimeoutMs, other);
  }

  /** Whether it answers those alone that have a ticket. */
  boolean wantsKerberos() {
    return "kerberos".equals(site.settings().get("hbase.security.authentication"));
  }

  boolean usesHdfs() {
    return servers > 1;
  }
}
