package io.acaciafs.kv.engine;

import java.io.IOException;
import java.nio.file.Path;

/** Makes a store of a copy that {@link Checkpoints} made. Stateless. */
public interface CheckpointRestore {
  /** Whether a folder holds a copy, and not the rest of one. */
  boolean isWhole(Path checkpoint);

  /**
   * Copies it to where {@link Engine#open} finds the store, durably. There is no store yet. Files
   * that never change may become links to those of the copy.
   */
  void restore(Path checkpoint) throws IOException;
}
