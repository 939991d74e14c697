package io.acaciafs.namenode.check;

import io.acaciafs.kv.check.CheckListener;
import io.acaciafs.kv.check.Pace;
import java.io.IOException;

/**
 * Compares the stores of the NameNodes of a group, as {@link io.acaciafs.kv.engine.Replica} does.
 */
@FunctionalInterface
public interface Comparison {
  /** Where a NameNode is alone with its store, or shares it. */
  Comparison NONE =
      (pace, listener) -> {
        throw new IOException("This NameNode belongs to no group: its engine is not raft");
      };

  /**
   * @return rows that were compared
   * @throws IOException with a sentence for people when this NameNode does not lead
   */
  long run(Pace pace, CheckListener listener) throws IOException, InterruptedException;
}
