package io.acaciafs.fsimage.format;

import io.acaciafs.blocks.ClusterIdentity;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.util.MD5FileUtils;

/** A name directory of Hadoop's NameNode that is being made. Source: HDFS's NNStorage. */
public final class NameNodeFolder {
  private final Path folder;

  public NameNodeFolder(Path folder) {
    this.folder = folder;
  }

  /**
   * @throws IOException when there is something in it
   */
  public void create() throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> content = Files.list(folder)) {
        if (content.findAny().isPresent()) {
          throw new IOException(
              "The folder " + folder + " is not empty: name one that is, or that is not there");
        }
      }
    }
    List<Path> changed = new ArrayList<>(List.of(folder)); // is going to have current
    Path path = folder.toAbsolutePath();
    while (!Files.exists(path)) {
      path = Objects.requireNonNull(path.getParent(), "the root exists");
      changed.add(path);
    }
    Files.createDirectories(folder);
    Files.createDirectory(
        current(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    for (Path each : changed) {
      sync(each, StandardOpenOption.READ);
    }
  }

  private Path current() {
    return folder.resolve("current");
  }

  /** Where the image is written before it has its name. */
  public Path unfinishedImage() {
    return current().resolve("fsimage.unfinished");
  }

  /** Gives the image its name, and makes the folder one to start from, durably. */
  public void finish(
      Path image, long transactionId, ClusterIdentity identity, ImageProgress progress)
      throws IOException {
    progress.begin("checksum and sync");
    sync(image, StandardOpenOption.WRITE);
    Path named = current().resolve(String.format(Locale.ROOT, "fsimage_%019d", transactionId));
    Files.move(image, named);
    MD5FileUtils.saveMD5File(named.toFile(), MD5FileUtils.computeMd5ForFile(named.toFile()));
    Path seen = current().resolve("seen_txid");
    Files.write(seen, (transactionId + "\n").getBytes(StandardCharsets.UTF_8));
    sync(seen, StandardOpenOption.WRITE);
    writeVersion(identity);
    progress.advance(0, 1);
  }

  private void writeVersion(ClusterIdentity identity) throws IOException {
    Properties properties = new Properties();
    properties.setProperty("namespaceID", Integer.toString(identity.namespaceId()));
    properties.setProperty("clusterID", identity.clusterId());
    properties.setProperty("cTime", Long.toString(identity.cTimeMs()));
    properties.setProperty("storageType", "NAME_NODE");
    properties.setProperty("blockpoolID", identity.blockPoolId());
    properties.setProperty(
        "layoutVersion", Integer.toString(HdfsServerConstants.NAMENODE_LAYOUT_VERSION));
    Path written = current().resolve("VERSION.tmp");
    try (OutputStream out = Files.newOutputStream(written)) {
      properties.store(out, null);
    }
    sync(written, StandardOpenOption.WRITE);
    Files.move(written, current().resolve("VERSION"), StandardCopyOption.ATOMIC_MOVE);
    sync(current(), StandardOpenOption.READ);
  }

  /** Leaves nothing of an image that could not be written. */
  public void discard() throws IOException {
    try (Stream<Path> content = Files.list(current())) {
      for (Path path : content.toList()) {
        Files.delete(path);
      }
    }
    Files.delete(current());
  }

  private static void sync(Path path, StandardOpenOption option) throws IOException {
    try (FileChannel channel = FileChannel.open(path, option)) {
      channel.force(true);
    }
  }
}
