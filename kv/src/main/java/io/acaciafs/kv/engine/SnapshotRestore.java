package io.acaciafs.kv.engine;

import io.acaciafs.kv.Reader;
import java.io.IOException;

/**
 * Makes a store of a snapshot. A store that was restored has to be corrected before a NameNode may
 * serve it, so the engine restores it under another name, has it corrected there, and only then
 * makes the store of it.
 */
public interface SnapshotRestore {
  /**
   * Restores.
   *
   * @return where the store is, for people
   * @throws IOException with a sentence for people when there is a store already; then nothing is
   *     changed but what earlier restores have left
   * @throws io.acaciafs.kv.StoreException when the engine does not do what is asked
   */
  String restore(String snapshot, Correction correction) throws IOException;

  /** What has to be done between the two steps. */
  interface Correction {
    /**
     * Corrects the rows of a copy, and then {@linkplain Snapshots#take takes} the snapshot that the
     * store will be made of.
     *
     * @param snapshot its name
     * @throws IOException when another restore has replaced the copy meanwhile
     */
    void correct(EngineStore copy, String snapshot) throws IOException;

    /** Whether one restore corrected both; then the copy is of no use any more. */
    boolean isSameRestore(Reader store, Reader copy);
  }
}
