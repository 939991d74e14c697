package io.acaciafs.kv.raft.copy;

/** Is told how far a copy is, on the thread that fetches it, some times a second. */
@FunctionalInterface
public interface CopyProgress {
  /**
   * @param bytes that are here
   * @param ofAll that it has
   */
  void copied(long bytes, long ofAll);
}
