package io.acaciafs.kv.engine;

import java.nio.file.Path;

/** Copies of a store that is in use, each in a folder of its own. Safe for use by many threads. */
public interface Checkpoints {
  /**
   * Copies the store as it is at one moment of this call. What was committed before the call is in
   * the copy, and each commit is whole or not there. Commits do not wait meanwhile.
   *
   * @param folder must not be there; its parent must
   * @throws io.acaciafs.kv.StoreException when it cannot be written, or the store has failed
   */
  void make(Path folder);

  /** How many bytes of files a copy will have, about; less than 0: nobody knows. */
  default long bytes() {
    return -1;
  }

  /**
   * Opens a copy for a reader that goes once over its rows, so with little memory.
   *
   * @throws io.acaciafs.kv.StoreException when it cannot be read
   */
  EngineStore open(Path folder);
}
