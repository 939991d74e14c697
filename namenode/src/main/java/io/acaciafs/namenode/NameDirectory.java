package io.acaciafs.namenode;

import io.acaciafs.blocks.ClusterIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;

/**
 * The folder of a NameNode on an embedded engine, dfs.namenode.name.dir: {@code current/VERSION},
 * in the format of HDFS's file of that name with {@code acaciaFormat} added, and {@code
 * current/store}. VERSION is written last, so a folder that has one is formatted whole.
 */
final class NameDirectory {
  /** Of everything below the folder, see docs/format.md. */
  static final int FORMAT = 1;

  private static final String FORMAT_KEY = "acaciaFormat";
  private static final String CLUSTER_KEY = "clusterID";
  private static final String NAMESPACE_KEY = "namespaceID";
  private static final String BLOCK_POOL_KEY = "blockpoolID";
  private static final String CREATION_KEY = "cTime";
  private static final String ENGINE_KEY = "acaciaEngine";

  private final Path folder;

  NameDirectory(Path folder) {
    this.folder = folder;
  }

  /**
   * @throws IOException when more than one folder is configured
   */
  static NameDirectory of(Configuration conf) throws IOException {
    List<String> folders =
        List.copyOf(conf.getTrimmedStringCollection(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY));
    if (folders.size() > 1) {
      throw new IOException(
          "dfs.namenode.name.dir names "
              + folders.size()
              + " folders: the embedded store lives in one. Name one, on a disk that is mirrored if"
              + " need be");
    }
    String folder = folders.isEmpty() ? conf.get("hadoop.tmp.dir") + "/dfs/name" : folders.get(0);
    return new NameDirectory(Path.of(new org.apache.hadoop.fs.Path(folder).toUri().getPath()));
  }

  /** Whether somebody has begun to fill it from elsewhere, and has not ended. */
  boolean isBeingFilled() {
    return Files.exists(fillingMarker());
  }

  /** From now on no NameNode starts on it, until {@link #endFilling}. */
  void beginFilling() throws IOException {
    Files.createDirectories(current());
    Files.createFile(fillingMarker());
    sync(current(), StandardOpenOption.READ);
  }

  /** It is whole. */
  void endFilling() throws IOException {
    Files.delete(fillingMarker());
    sync(current(), StandardOpenOption.READ);
  }

  /** Whether there is anything in it, be it ours or not. */
  boolean isEmpty() throws IOException {
    if (!Files.exists(current())) {
      return true;
    }
    try (Stream<Path> content = Files.list(current())) {
      return content.findAny().isEmpty();
    }
  }

  private Path fillingMarker() {
    return current().resolve("IMPORTING");
  }

  Path folder() {
    return folder;
  }

  Path storeFolder() {
    return current().resolve("store");
  }

  boolean isFormatted() {
    return Files.exists(version());
  }

  /**
   * Who the folder belongs to.
   *
   * @throws IOException with a sentence that says what to do, when it is not formatted, when
   *     Hadoop's NameNode or a newer Acacia formatted it, or when it belongs to another cluster
   *     than {@code expectedClusterId}
   * @param expectedClusterId null: any
   */
  ClusterIdentity read(String expectedClusterId) throws IOException {
    if (isBeingFilled()) {
      throw new IOException(
          "The folder "
              + folder
              + " holds an import that did not come to its end. Run 'acacia import' again, which"
              + " begins anew, or 'acacia format -force' for an empty file system");
    }
    if (!isFormatted()) {
      throw new IOException(
          "The folder "
              + folder
              + " is not formatted. Run 'acacia format' once to create an empty"
              + " file system in it");
    }
    Properties properties = properties();
    checkFormat(properties);
    ClusterIdentity identity =
        new ClusterIdentity(
            (int) number(properties, NAMESPACE_KEY),
            required(properties, CLUSTER_KEY),
            required(properties, BLOCK_POOL_KEY),
            number(properties, CREATION_KEY));
    if (expectedClusterId != null && !expectedClusterId.equals(identity.clusterId())) {
      throw new IOException(
          "The folder "
              + folder
              + " was formatted by cluster "
              + identity.clusterId()
              + ", but acacia.cluster.id says "
              + expectedClusterId
              + ". Set dfs.namenode.name.dir to this cluster's folder, or correct"
              + " acacia.cluster.id");
    }
    return identity;
  }

  /**
   * The engine that keeps its file system.
   *
   * @return null for a folder of a version that did not write it down
   */
  String engine() throws IOException {
    return properties().getProperty(ENGINE_KEY);
  }

  private Properties properties() throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(version())) {
      properties.load(in);
    }
    return properties;
  }

  private void checkFormat(Properties properties) throws IOException {
    if (properties.getProperty(FORMAT_KEY) == null) {
      throw new IOException(
          "The folder "
              + folder
              + " was formatted by Hadoop's NameNode, not by Acacia. Set dfs.namenode.name.dir to"
              + " another folder and run 'acacia format'");
    }
    long format = number(properties, FORMAT_KEY);
    if (format > FORMAT) {
      throw new IOException(
          "The folder "
              + folder
              + " has format "
              + format
              + ", and this version of Acacia reads formats up to "
              + FORMAT
              + ". Run a newer version");
    }
  }

  /**
   * Keeps other processes out, until the result is closed or this process ends.
   *
   * @throws IOException when another one is in
   */
  AutoCloseable lock() throws IOException {
    Files.createDirectories(folder);
    FileChannel channel =
        FileChannel.open(
            folder.resolve("in_use.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // held by this very process, which is as bad
    }
    channel.close();
    throw new IOException(
        "Cannot lock storage " + folder + ". The directory is already locked by another process");
  }

  /**
   * @throws IOException when VERSION promises a store that is not there: an empty one in its place
   *     would have the DataNodes delete all that they keep
   */
  void requireStore() throws IOException {
    if (!Files.exists(storeFolder().resolve("CURRENT"))) {
      throw new IOException(
          "The folder "
              + folder
              + " is formatted, but its store "
              + storeFolder()
              + " is missing. Restore or mount it; 'acacia format -force' begins anew without any"
              + " file");
    }
  }

  /** Removes what is there; from the first step on the folder counts as not formatted. */
  void clear() throws IOException {
    if (!Files.exists(current())) {
      return;
    }
    Files.deleteIfExists(version());
    sync(current(), StandardOpenOption.READ);
    try (Stream<Path> paths = Files.walk(current())) {
      Comparator<Path> markerLast = Comparator.comparing(fillingMarker()::equals);
      for (Path path : paths.sorted(markerLast.thenComparing(Comparator.reverseOrder())).toList()) {
        if (!path.equals(current())) {
          Files.delete(path);
        }
      }
    }
    Files.delete(current());
  }

  /** Makes the folder a formatted one, durably. */
  void write(ClusterIdentity identity, String engine) throws IOException {
    Properties properties = new Properties();
    properties.setProperty(FORMAT_KEY, Integer.toString(FORMAT));
    properties.setProperty(ENGINE_KEY, engine);
    properties.setProperty("storageType", "NAME_NODE");
    properties.setProperty(NAMESPACE_KEY, Integer.toString(identity.namespaceId()));
    properties.setProperty(CLUSTER_KEY, identity.clusterId());
    properties.setProperty(BLOCK_POOL_KEY, identity.blockPoolId());
    properties.setProperty(CREATION_KEY, Long.toString(identity.cTimeMs()));
    Files.createDirectories(current());
    Path written = current().resolve("VERSION.tmp");
    try (OutputStream out = Files.newOutputStream(written)) {
      properties.store(out, null);
    }
    sync(written, StandardOpenOption.WRITE);
    Files.move(written, version(), StandardCopyOption.ATOMIC_MOVE);
    sync(current(), StandardOpenOption.READ);
  }

  private static void sync(Path path, StandardOpenOption option) throws IOException {
    try (FileChannel channel = FileChannel.open(path, option)) {
      channel.force(true);
    }
  }

  private Path current() {
    return folder.resolve("current");
  }

  private Path version() {
    return current().resolve("VERSION");
  }

  private long number(Properties properties, String key) throws IOException {
    try {
      return Long.parseLong(required(properties, key));
    } catch (NumberFormatException e) {
      throw new IOException(version() + " has no number for " + key, e);
    }
  }

  private String required(Properties properties, String key) throws IOException {
    String value = properties.getProperty(key);
    if (value == null) {
      throw new IOException(version() + " lacks " + key + ": the file is damaged");
    }
    return value;
  }
}
