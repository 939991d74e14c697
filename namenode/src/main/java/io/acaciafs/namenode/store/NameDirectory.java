package io.acaciafs.namenode.store;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.namenode.process.LocalFiles;
import io.acaciafs.namenode.process.ResourceStack;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of a NameNode on an embedded engine, dfs.namenode.name.dir: {@code current/VERSION},
 * in the format of HDFS's file of that name with {@code acaciaFormat} added, and {@code
 * current/store}. A {@link Filling} lies beside them from before the first change until both are
 * durable, so a folder that has VERSION and no such mark is whole.
 */
public final class NameDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(NameDirectory.class);

  private final Path folder;
  private final FsPermission permission;

  /** A folder that only its owner may use. */
  NameDirectory(Path folder) {
    this(folder, new FsPermission(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_PERMISSION_DEFAULT));
  }

  /**
   * @param permission dfs.namenode.storage.dir.perm, the permission of {@code current}
   */
  private NameDirectory(Path folder, FsPermission permission) {
    this.folder = folder;
    this.permission = permission;
  }

  /**
   * @throws IOException when more than one folder is configured, or the folder is a file
   */
  public static NameDirectory of(Configuration conf) throws IOException {
    List<String> folders =
        List.copyOf(conf.getTrimmedStringCollection(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY));
    if (folders.size() > 1) {
      throw new IOException(
          "dfs.namenode.name.dir names "
              + folders.size()
              + " folders: the embedded store lives in one. Name one, on a disk that is mirrored if"
              + " need be");
    }
    String configured =
        folders.isEmpty() ? conf.get("hadoop.tmp.dir") + "/dfs/name" : folders.get(0);
    Path folder =
        Path.of(new org.apache.hadoop.fs.Path(configured).toUri().getPath())
            .toAbsolutePath()
            .normalize();
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new IOException("Cannot use " + folder + " (dfs.namenode.name.dir): Not a directory");
    }
    return new NameDirectory(
        folder,
        new FsPermission(
            conf.getTrimmed(
                DFSConfigKeys.DFS_NAMENODE_NAME_DIR_PERMISSION_KEY,
                DFSConfigKeys.DFS_NAMENODE_NAME_DIR_PERMISSION_DEFAULT)));
  }

  /** The command that has begun to fill it and has not ended; null when there is none. */
  public @Nullable Filling filling() {
    for (Filling filling : Filling.values()) {
      if (Files.exists(filling.markIn(current()))) {
        return filling;
      }
    }
    return null;
  }

  /**
   * Removes what is there. From before the first removal no NameNode starts on the folder, until
   * {@link #endFilling}.
   */
  public void beginFilling(Filling filling) throws IOException {
    createCurrent();
    Path mark = filling.markIn(current());
    if (!Files.exists(mark)) {
      Files.createFile(mark);
    }
    IdentityFile.syncFolder(current());
    removeAllBut(mark);
  }

  /** {@link Filling#FORMATTING}, which names the cluster. */
  IdentityFile formatMark() {
    return new IdentityFile(Filling.FORMATTING.markIn(current()), folder);
  }

  /** It is whole. */
  public void endFilling() throws IOException {
    for (Filling filling : Filling.values()) {
      Files.deleteIfExists(filling.markIn(current()));
    }
    IdentityFile.syncFolder(current());
  }

  /**
   * Whether there is nothing in it, be it ours or not; a VERSION or a mark of a format that was not
   * written to its end is nothing.
   */
  public boolean isEmpty() throws IOException {
    if (!Files.exists(current())) {
      return true;
    }
    Set<Path> unfinished = Set.of(version().unfinished(), formatMark().unfinished());
    try (Stream<Path> content = Files.list(current())) {
      return content.allMatch(unfinished::contains);
    }
  }

  private void createCurrent() throws IOException {
    Files.createDirectories(current());
    restrict();
  }

  /**
   * Sets the configured permission of {@code current} if the folder exists. Older versions let all
   * users read it.
   */
  void restrict() throws IOException {
    Set<PosixFilePermission> wanted = PosixFilePermissions.fromString(permission.toString());
    try {
      if (Files.exists(current()) && !Files.getPosixFilePermissions(current()).equals(wanted)) {
        Files.setPosixFilePermissions(current(), wanted);
      }
    } catch (UnsupportedOperationException e) {
      FileUtil.setPermission(current().toFile(), permission);
    }
  }

  public Path folder() {
    return folder;
  }

  Path storeFolder() {
    return current().resolve("store");
  }

  public boolean isFormatted() {
    return version().exists() && filling() == null;
  }

  /**
   * The cluster that the folder belongs to.
   *
   * @throws IOException with a sentence that says what to do, when it is not formatted, when
   *     Hadoop's NameNode or a newer Acacia formatted it, or when it belongs to another cluster
   *     than {@code expectedClusterId}
   * @param expectedClusterId null: any
   */
  public ClusterIdentity read(@Nullable String expectedClusterId) throws IOException {
    Filling filling = filling();
    if (filling != null) {
      throw new IOException("The folder " + folder + " " + filling.sentence());
    }
    if (!version().exists()) {
      refuseBackup();
      if (!isEmpty()) {
        throw new IOException(
            "The folder "
                + current()
                + " holds files, but no VERSION. Put its VERSION back, for example the file BACKUP of"
                + " a backup under this name; 'acacia format -force' removes all that is there");
      }
      throw new IOException(
          "The folder "
              + folder
              + " is not formatted. Run 'acacia format' once to create an empty file system in it"
              + " (one more NameNode on "
              + Engines.titlesForMany()
              + ": 'acacia bootstrap')");
    }
    ClusterIdentity identity = version().identity();
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
   * A backup must not become the folder of a NameNode, and neither a backup nor the folder of
   * another NameNode may have one inside.
   *
   * @throws IOException when the folder is a backup, or is inside one or inside such a folder
   */
  public void refuseBackup() throws IOException {
    Path own = folder.toAbsolutePath();
    for (Path above = own; above != null; above = above.getParent()) {
      if (!above.equals(own) && new NameDirectory(above, permission).isOurs()) {
        throw new IOException(
            "The folder "
                + folder
                + " is inside "
                + above
                + ", which is the folder of another NameNode. Name another folder in"
                + " dfs.namenode.name.dir");
      }
      if (IdentityFile.ofBackup(above).exists()) {
        throw new IOException(
            "The folder "
                + folder
                + (above.equals(folder.toAbsolutePath())
                    ? " is"
                    : " is inside " + above + ", which is")
                + " a backup. Name another folder in dfs.namenode.name.dir; to fill it from the"
                + " backup, say 'acacia restore "
                + above
                + "'");
      }
    }
  }

  /** Whether it is formatted, or a command is filling it. */
  public boolean isOurs() {
    return version().exists() || filling() != null;
  }

  /**
   * The engine that keeps its file system.
   *
   * @return null for a folder of a version that did not write it down
   */
  @Nullable String engine() throws IOException {
    return version().engine();
  }

  /**
   * Keeps other processes out, until the result is closed or this process ends.
   *
   * @throws IOException when another one is in, or the folder cannot be written
   */
  public AutoCloseable lock() throws IOException {
    AutoCloseable lock = tryLock();
    if (lock == null) {
      throw new IOException(
          "Cannot lock storage " + folder + ". The directory is already locked by another process");
    }
    return lock;
  }

  /**
   * The same.
   *
   * @return null when another process is in
   * @throws java.nio.file.AccessDeniedException when this user may not write it, so that it is not
   *     known: the NameNode that serves it may answer
   * @throws IOException when the folder cannot be written
   */
  @Nullable AutoCloseable tryLock() throws IOException {
    create();
    FileChannel channel =
        FileChannel.open(
            folder.resolve("in_use.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        restrictIfOurs();
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // held by this very process, which is as bad
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    return null;
  }

  private void create() throws IOException {
    try {
      IdentityFile.makeFolder(folder);
    } catch (AccessDeniedException e) {
      throw e;
    } catch (FileSystemException e) {
      throw new IOException(
          "Cannot make the folder " + folder + " (dfs.namenode.name.dir): " + LocalFiles.reason(e),
          e);
    }
  }

  private void restrictIfOurs() {
    try {
      restrict();
    } catch (IOException e) {
      LOG.warn(
          "The permission of {} is not {}, and the folder belongs to another user",
          current(),
          DFSConfigKeys.DFS_NAMENODE_NAME_DIR_PERMISSION_KEY,
          e);
    }
  }

  /**
   * Whether another process has locked it now.
   *
   * @throws IOException as {@link #tryLock}
   */
  public boolean isInUse() throws IOException {
    AutoCloseable lock = tryLock();
    if (lock == null) {
      return true;
    }
    ResourceStack locked = new ResourceStack();
    locked.add(lock);
    locked.close();
    return false;
  }

  /** Removes what a command had begun to fill. */
  void clear() throws IOException {
    Filling filling = filling();
    if (filling != null) {
      removeAllBut(filling.markIn(current()));
      Files.delete(filling.markIn(current()));
      Files.delete(current());
    }
  }

  /** Afterwards the mark may go: no loss of power brings back what is removed. */
  private void removeAllBut(Path mark) throws IOException {
    try (Stream<Path> paths = Files.walk(current())) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        if (!path.equals(current()) && !path.equals(mark)) {
          Files.delete(path);
        }
      }
    }
    IdentityFile.syncFolder(current());
  }

  /** Makes the folder a formatted one, durably. */
  public void write(ClusterIdentity identity, String engine) throws IOException {
    createCurrent();
    version().write(identity, engine);
    IdentityFile.syncFolder(folder); // it has current/, which another process may have made
  }

  /** Where a migration notes how far it is; see {@link MigrationMarks}. */
  Path migrationMarks() {
    return current().resolve("migration");
  }

  Path current() {
    return folder.resolve("current");
  }

  private Path versionPath() {
    return current().resolve("VERSION");
  }

  private IdentityFile version() {
    return new IdentityFile(versionPath(), folder);
  }
}
