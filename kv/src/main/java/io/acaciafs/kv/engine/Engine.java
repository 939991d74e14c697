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

  /** Whether there is a store, of this cluster or of another one. */
  boolean exists();

  /**
   * Refuses a store that is certainly missing or damaged, before anything is changed. What this
   * method cannot know without opening the store, {@link #open} refuses.
   *
   * @throws IOException with a sentence that says what to do
   */
  void requireStore() throws IOException;

  /**
   * Refuses a store that others on the network could read or change, for a NameNode whose clients
   * have to prove who they are. A store in this server's folder alone is refused to nobody.
   *
   * @throws IOException with a sentence that says what to set
   */
  default void requireProtection() throws IOException {}

  /**
   * Refuses a site that lacks what {@link EngineStore#bulkLoader} needs, before anything is
   * changed.
   *
   * @throws IOException with a sentence that says what to set
   */
  default void requireLoading() throws IOException {}

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

  /**
   * Opens the folder of one of several servers that keep the same store. Such a server serves only
   * while it leads, with the store that it is given then, and {@link #open} is for a server that is
   * stopped.
   *
   * @return empty for an engine whose servers do not elect a leader among themselves
   * @throws IOException with a sentence for people when the folder cannot take part
   */
  default Optional<Replica> replica() throws IOException {
    return Optional.empty();
  }

  /**
   * Copies the store of another server into this one's folder, which is empty. Of an engine whose
   * servers each keep the whole store.
   *
   * @throws IOException with a sentence for people when no server gives a copy
   */
  default void bootstrap() throws IOException {
    throw new IOException("The store has no other servers to copy from");
  }

  /** How stores are made of {@link EngineStore#checkpoints}. */
  default Optional<CheckpointRestore> checkpointRestore() {
    return Optional.empty();
  }

  /** How stores are made of {@link EngineStore#snapshots}. */
  default Optional<SnapshotRestore> snapshotRestore() {
    return Optional.empty();
  }
}
