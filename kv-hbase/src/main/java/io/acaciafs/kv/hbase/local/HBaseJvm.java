package io.acaciafs.kv.hbase.local;

import io.acaciafs.hbase.protocol.RegionService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What every JVM of a stock HBase on this machine is started with. Acacia's coprocessor is on its
 * class path; tables need not use it.
 *
 * @param classPath of its jars, without a folder of settings
 */
public record HBaseJvm(String classPath) {
  private static final List<String> OPENED =
      List.of(
          "java.io",
          "java.nio",
          "sun.nio.ch",
          "java.lang",
          "jdk.internal.ref",
          "java.lang.reflect",
          "java.util",
          "java.util.concurrent");

  private static final String LOGGING =
      """
      status = warn
      appender.console.type = Console
      appender.console.name = console
      appender.console.layout.type = PatternLayout
      appender.console.layout.pattern = %d{ISO8601} %-5p [%t] %c{2}: %m%n
      rootLogger.level = info
      rootLogger.appenderRef.console.ref = console
      logger.zookeeper.name = org.apache.zookeeper
      logger.zookeeper.level = warn
      """;

  private static final int SMALL_HEAP_MB = 256;

  /**
   * @param classPathFile as the build writes it to {@code hbase-server/target/classpath}
   * @throws IOException when the build has not written it yet
   */
  public static HBaseJvm of(Path classPathFile) throws IOException {
    if (!Files.isReadable(classPathFile)) {
      throw new IOException(
          "The class path of HBase is not there yet ("
              + classPathFile
              + "): mvn -pl hbase-server process-resources writes it");
    }
    return new HBaseJvm(coprocessor() + ":" + Files.readString(classPathFile).strip());
  }

  /** The jar, or the folder of classes, of Acacia's coprocessor. */
  private static Path coprocessor() {
    return Path.of(
        RegionService.class.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  /** The class path with a folder of settings, which gets what HBase's processes want there. */
  public String classPath(Path configuration) throws IOException {
    // HDFS's web servers look for these folders on the class path and are content when empty.
    Files.createDirectories(configuration.resolve("webapps/hdfs"));
    Files.createDirectories(configuration.resolve("webapps/datanode"));
    Files.writeString(configuration.resolve("log4j2.properties"), LOGGING);
    return configuration + ":" + classPath;
  }

  /** Options for a heap of this size; a list that the caller may extend. */
  public static List<String> options(int heapMb) {
    List<String> options = new ArrayList<>();
    for (String opened : OPENED) {
      options.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    options.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
    options.add("-Djava.net.preferIPv4Stack=true");
    options.add("-Dzookeeper.admin.enableServer=false");
    options.add("-Xmx" + heapMb + "m");
    options.add("-XX:+UseSerialGC");
    if (heapMb <= SMALL_HEAP_MB) { // no server of load, but one that is waited for
      options.add("-XX:TieredStopAtLevel=1");
    }
    return options;
  }
}
