package io.acaciafs.namenode.image;

import io.acaciafs.fsimage.ImageCounts;
import io.acaciafs.namenode.process.ServingNameNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a NameNode that serves write its namespace as a folder from which Hadoop's NameNode starts,
 * one at a time. Safe for use by many threads.
 */
public final class ServedExport {
  /** By which a NameNode that serves is asked for it; the argument is the folder. */
  public static final String REQUEST = "acacia.export";

  private static final Logger LOG = LoggerFactory.getLogger(ServedExport.class);

  private final Optional<ImageMaker> maker;
  private final Clock clock;
  private final Semaphore one = new Semaphore(1);

  /**
   * @param maker empty where images cannot be made of the store
   */
  public ServedExport(Optional<ImageMaker> maker, Clock clock) {
    this.maker = maker;
    this.clock = clock;
  }

  /**
   * Asks the NameNode that leads.
   *
   * @param folder on its machine, not there yet
   * @return a sentence for people
   * @throws IOException with a sentence when it is not made
   */
  public static String ask(Configuration all, Path folder) throws IOException {
    return ServingNameNode.ask(
        all, "what was written last is on all of them", REQUEST, folder.toString());
  }

  /**
   * Makes the folder.
   *
   * @return a sentence for people
   * @throws IOException with a sentence when it cannot be made, or another one is being made
   */
  public String make(Path folder) throws IOException {
    ImageMaker images =
        maker.orElseThrow(() -> new IOException("No images are made of a store of this engine"));
    if (!folder.isAbsolute()) {
      throw new IOException("Name the folder from the root on, not " + folder);
    }
    if (!one.tryAcquire()) {
      throw new IOException("Another export is being made, try again later");
    }
    try {
      long startNs = System.nanoTime();
      images.remove();
      String time = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
      ImageCounts counts = images.export(folder);
      LOG.info("Exported folder={} ms={}", folder, (System.nanoTime() - startNs) / 1_000_000);
      return String.format(
          Locale.ROOT,
          "Exported %,d files, %,d directories, %,d symbolic links and %,d blocks, as they were at"
              + " %s, to %s on the machine of the NameNode that leads. What is written after that is"
              + " not in it.",
          counts.files(),
          counts.directories(),
          counts.symlinks(),
          counts.blocks(),
          time,
          folder);
    } finally {
      try {
        images.remove();
      } finally {
        one.release();
      }
    }
  }
}
