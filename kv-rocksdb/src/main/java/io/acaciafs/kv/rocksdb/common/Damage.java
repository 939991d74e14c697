package io.acaciafs.kv.rocksdb.common;

import io.acaciafs.kv.StoreException;
import java.nio.file.Path;

/** The refusal of a folder from which something is missing that was promised. */
public final class Damage {
  private Damage() {}

  /**
   * @param what is missing, as a sentence without its end
   */
  public static StoreException of(Path folder, String what) {
    return new StoreException(
        "The store in " + folder + " is damaged: " + what + ". " + adviceFor(folder));
  }

  /** The same of the log. */
  public static StoreException ofLog(Path folder, String what) {
    return new StoreException("The log is damaged: " + what + ". " + adviceFor(folder));
  }

  /** What can be done, as a sentence. */
  public static String adviceFor(Path folder) {
    return "Nothing was changed. Put back the files that were in "
        + folder
        + ", or restore a backup into an empty folder, see docs/backup.md";
  }
}
