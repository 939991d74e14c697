package io.acaciafs.systemtests.kill;

import io.acaciafs.systemtests.harness.Content;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Creates, closes, renames and deletes files of its own, until the NameNode dies under it.
 *
 * <p>Runs on one thread. Returns its ledger; fails when an operation fails while the NameNode is
 * meant to be alive, or is answered with what cannot be.
 */
final class Writer implements Callable<Ledger> {
  static final int MAX_LENGTH_BYTES = 3000;

  private final FileSystem fs;
  private final String folder;
  private final Random random;
  private final int maxLengthBytes;
  private final AtomicLong acknowledged;
  private final AtomicBoolean killed;
  private final Ledger ledger = new Ledger();

  /**
   * A writer in a folder that nobody else uses.
   *
   * @param acknowledged counts the answers of all writers
   * @param killed whether the NameNode is being killed
   */
  Writer(FileSystem fs, String folder, long seed, AtomicLong acknowledged, AtomicBoolean killed) {
    this(fs, folder, seed, MAX_LENGTH_BYTES, acknowledged, killed);
  }

  /** The same with files of other lengths. */
  Writer(
      FileSystem fs,
      String folder,
      long seed,
      int maxLengthBytes,
      AtomicLong acknowledged,
      AtomicBoolean killed) {
    this.fs = fs;
    this.folder = folder;
    this.random = new Random(seed);
    this.maxLengthBytes = maxLengthBytes;
    this.acknowledged = acknowledged;
    this.killed = killed;
  }

  @Override
  public Ledger call() throws IOException {
    try {
      for (int n = 0; !killed.get(); n++) {
        step(folder + "/file-" + n);
      }
    } catch (IOException e) {
      if (!killed.get()) {
        throw e;
      }
    }
    return ledger;
  }

  private void step(String path) throws IOException {
    Content content = new Content(random.nextLong(), random.nextInt(maxLengthBytes));
    try (FSDataOutputStream out = fs.create(new Path(path), false)) {
      acknowledged.incrementAndGet();
      ledger.created(path);
      out.write(content.bytes());
    }
    acknowledged.incrementAndGet();
    ledger.closed(path, content);
    String last = path;
    if (random.nextBoolean()) {
      last = path + "-renamed";
      rename(path, last, content);
    }
    if (random.nextInt(4) == 0) {
      delete(last);
    }
  }

  private void rename(String source, String target, Content content) throws IOException {
    ledger.renaming(source, target, content);
    if (!fs.rename(new Path(source), new Path(target))) {
      throw new AssertionError("rename refused: " + source);
    }
    acknowledged.incrementAndGet();
    ledger.renamed(source, target, content);
  }

  private void delete(String path) throws IOException {
    ledger.deleting(path);
    if (!fs.delete(new Path(path), false)) {
      throw new AssertionError("delete refused: " + path);
    }
    acknowledged.incrementAndGet();
    ledger.deleted(path);
  }
}
