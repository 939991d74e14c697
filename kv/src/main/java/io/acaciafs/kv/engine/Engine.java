package io.acaciafs.kv.engine;

import java.io.IOException;
import java.util.Optional;

/**
 * One store of an engine, whether it is there or not. Immutable. Methods block; where the store
 * does not answer they throw {@link io.acaciafs.kv.StoreException} with a sentence for people.
 */
public interface Engine {
  /** Where the store is, for people. */
  String place();

  /** Whether there is a store, whoever owns it. */
  boolean exists();

  /**
   * Refuses a store that is certainly missing or damaged, before anything is changed. What this
   * method cannot know without opening the store, {@link #open} refuses.
   *
   * @throws IOException with a sentence that says what to do
   */
  void requireStore() throws IOException;

  /**
   * Prepares an empty store, before the NameNode clears its folder. An engine that is not shared
   * has nothing to do: the folder will be cleared, and {@link #open} makes what is missing.
   *
   * @param isForced removes a store that is there
   * @throws io.acaciafs.kv.StoreException when there is one, and it may not be removed
   */
  void format(boolean isForced);

  /**
   * Opens the store. An engine that is not shared makes it where there is none.
   *
   * @throws io.acaciafs.kv.StoreException when it is in use, damaged, of another format, or of
   *     another owner
   */
  EngineStore open();

  /** How stores are made of {@link EngineStore#checkpoints}. */
  default Optional<CheckpointRestore> checkpointRestore() {
    return Optional.empty();
  }

  /** How stores are made of {@link EngineStore#snapshots}. */
  default Optional<SnapshotRestore> snapshotRestore() {
    return Optional.empty();
  }
}
