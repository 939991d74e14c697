package io.acaciafs.namenode;

import java.io.IOException;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Trash;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties the trash of all users by and by, as the user that the NameNode runs as: Hadoop's own
 * class does it, on the thread {@code trash-emptier}, through a client of this NameNode. Where
 * several NameNodes serve, one alone does it; two that do it at once, for a moment, rename and
 * remove the same directories, and one of them succeeds.
 */
final class TrashEmptier implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TrashEmptier.class);
  private static final long END_SECONDS = 10;
  private static final long INTERRUPT_AGAIN_MS = 200;

  private final Thread thread;

  private TrashEmptier(Thread thread) {
    this.thread = thread;
  }

  /** Whether fs.trash.interval says that there is something to do. */
  static boolean isWanted(Configuration conf) {
    return intervalMinutes(conf) != 0;
  }

  private static float intervalMinutes(Configuration conf) {
    return conf.getFloat(
        CommonConfigurationKeysPublic.FS_TRASH_INTERVAL_KEY,
        CommonConfigurationKeysPublic.FS_TRASH_INTERVAL_DEFAULT);
  }

  /**
   * Starts it.
   *
   * @param nameNode where it goes
   * @param isMine whether this NameNode is the one that does it
   * @throws IOException when the interval makes no sense
   */
  static TrashEmptier start(Configuration site, URI nameNode, BooleanSupplier isMine)
      throws IOException {
    if (intervalMinutes(site) < 0) {
      throw new IOException(
          "Cannot start trash emptier with negative interval. Set fs.trash.interval to a positive"
              + " value.");
    }
    Configuration conf = new Configuration(site);
    DistributedFileSystem fileSystem = new TrashOfAll(isMine);
    fileSystem.initialize(nameNode, conf);
    // closes the file system when it ends
    Thread thread = new Thread(new Trash(fileSystem, conf).getEmptier(), "trash-emptier");
    thread.setDaemon(true);
    thread.start();
    return new TrashEmptier(thread);
  }

  @Override
  public void close() {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
    try {
      while (thread.isAlive() && System.nanoTime() - deadlineNs < 0) {
        thread.interrupt(); // a call that is under way may swallow it
        thread.join(INTERRUPT_AGAIN_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      LOG.warn("The trash emptier does not end");
    }
  }

  /** Shows no trash while another NameNode empties it. */
  private static final class TrashOfAll extends DistributedFileSystem {
    private final BooleanSupplier isMine;

    TrashOfAll(BooleanSupplier isMine) {
      this.isMine = isMine;
    }

    @Override
    public Collection<FileStatus> getTrashRoots(boolean allUsers) {
      return isMine.getAsBoolean() ? super.getTrashRoots(allUsers) : List.of();
    }
  }
}
