package io.acaciafs.namenode.store;

import io.acaciafs.blocks.ClusterIdentity;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringReader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A file that says which cluster a file system is, in the format of HDFS's VERSION with {@code
 * acaciaFormat} added. It is there whole or not at all.
 */
public final class IdentityFile {
  /** Of everything that belongs to it, see docs/format.md. */
  static final int FORMAT = 1;

  private static final String FORMAT_KEY = "acaciaFormat";
  private static final String CLUSTER_KEY = "clusterID";
  private static final String NAMESPACE_KEY = "namespaceID";
  private static final String BLOCK_POOL_KEY = "blockpoolID";
  private static final String CREATION_KEY = "cTime";
  private static final String ENGINE_KEY = "acaciaEngine";

  /** Hadoop's NameNode always writes it, and Acacia never does. */
  private static final String HADOOP_KEY = "layoutVersion";

  private final Path path;
  private final Path folder;

  /**
   * @param folder what it says it of; for people
   */
  public IdentityFile(Path path, Path folder) {
    this.path = path;
    this.folder = folder;
  }

  /** The one of a backup in this folder, there or not. */
  public static IdentityFile ofBackup(Path folder) {
    return new IdentityFile(folder.resolve("BACKUP"), folder);
  }

  public boolean exists() {
    return Files.exists(path);
  }

  /**
   * The cluster.
   *
   * @throws IOException when Hadoop's NameNode or a newer Acacia wrote it, or it is damaged
   */
  public ClusterIdentity identity() throws IOException {
    Properties properties = properties();
    checkFormat(properties);
    return new ClusterIdentity(
        (int) number(properties, NAMESPACE_KEY),
        required(properties, CLUSTER_KEY),
        required(properties, BLOCK_POOL_KEY),
        number(properties, CREATION_KEY));
  }

  /** Null when a version wrote it that did not write that down. */
  public @Nullable String engine() throws IOException {
    return property(ENGINE_KEY);
  }

  /** Null when there is no such property. */
  public @Nullable String property(String key) throws IOException {
    return properties().getProperty(key);
  }

  private Properties properties() throws IOException {
    String text = new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1);
    if (!text.endsWith("\n")) {
      throw damaged(text.isEmpty() ? "is empty" : "was cut off");
    }
    Properties properties = new Properties();
    properties.load(new StringReader(text));
    return properties;
  }

  private void checkFormat(Properties properties) throws IOException {
    if (properties.getProperty(FORMAT_KEY) == null) {
      if (properties.getProperty(HADOOP_KEY) == null) {
        throw damaged("lacks " + FORMAT_KEY);
      }
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

  /** Writes it, durably. */
  void write(ClusterIdentity identity, String engine) throws IOException {
    write(identity, engine, new Properties());
  }

  /** The same with more properties. */
  public void write(ClusterIdentity identity, String engine, Properties more) throws IOException {
    Properties properties = new Properties();
    properties.putAll(more);
    properties.setProperty(ENGINE_KEY, engine);
    properties.setProperty("storageType", "NAME_NODE");
    properties.setProperty(NAMESPACE_KEY, Integer.toString(identity.namespaceId()));
    properties.setProperty(CLUSTER_KEY, identity.clusterId());
    properties.setProperty(BLOCK_POOL_KEY, identity.blockPoolId());
    properties.setProperty(CREATION_KEY, Long.toString(identity.cTimeMs()));
    Files.createDirectories(path.getParent());
    Path written = unfinished();
    try (OutputStream out = Files.newOutputStream(written)) {
      properties.store(out, null);
      // last, so that a file without its end has none
      out.write((FORMAT_KEY + "=" + FORMAT + "\n").getBytes(StandardCharsets.ISO_8859_1));
    }
    putInPlace(written, path);
  }

  /** Makes a file durable, and puts it in the place of another one in its folder, whole. */
  static void putInPlace(Path written, Path path) throws IOException {
    sync(written, StandardOpenOption.WRITE);
    Files.move(written, path, StandardCopyOption.ATOMIC_MOVE);
    syncFolder(parentOf(path));
  }

  /** Where it is while it is written. */
  Path unfinished() {
    return path.resolveSibling(path.getFileName() + ".tmp");
  }

  /** Makes a folder, and those around it that are missing, durably. */
  static void makeFolder(Path folder) throws IOException {
    Deque<Path> missing = new ArrayDeque<>();
    Path path = folder.toAbsolutePath();
    while (!Files.exists(path)) {
      missing.push(path);
      path = parentOf(path);
    }
    Files.createDirectories(folder);
    for (Path made : missing) {
      syncFolder(parentOf(made));
    }
  }

  private static Path parentOf(Path path) {
    return Objects.requireNonNull(path.getParent(), "the root exists");
  }

  /** What was made, renamed and removed in a folder becomes durable. */
  public static void syncFolder(Path folder) throws IOException {
    sync(folder, StandardOpenOption.READ);
  }

  private static void sync(Path path, StandardOpenOption option) throws IOException {
    try (FileChannel channel = FileChannel.open(path, option)) {
      channel.force(true);
    }
  }

  private long number(Properties properties, String key) throws IOException {
    try {
      return Long.parseLong(required(properties, key));
    } catch (NumberFormatException e) {
      throw damaged("has no number for " + key);
    }
  }

  private String required(Properties properties, String key) throws IOException {
    String value = properties.getProperty(key);
    if (value == null) {
      throw damaged("lacks " + key);
    }
    return value;
  }

  private IOException damaged(String how) {
    return new IOException(
        "The file "
            + path
            + " is damaged: it "
            + how
            + ". Put it back as it was; VERSION of a NameNode and BACKUP of its backups have the same"
            + " lines");
  }
}
