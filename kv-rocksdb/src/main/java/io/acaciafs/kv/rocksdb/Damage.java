package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.StoreException;
import java.nio.file.Path;

/** The refusal of a folder from which something is missing that was promised. */
final class Damage {
  private Damage() {}

  /**
   * @param what is missing, as a sentence without its end
   */
  static StoreException of(Path folder, String what) {
    return new StoreException(
        "The store in " + folder + " is damaged: " + what + ". " + adviceFor(folder));
  }

  /** The same of the log. */
  static StoreException ofLog(Path folder, String what) {
    return new StoreException("The log is damaged: " + what + ". " + adviceFor(folder));
  }

  /** What can be done, as a sentence. */
  static String adviceFor(Path folder) {
    return "Nothing was changed. Put back the files that were in "
        + folder
        + ", or restore a backup into an empty folder, see docs/backup.md";
  }
}
