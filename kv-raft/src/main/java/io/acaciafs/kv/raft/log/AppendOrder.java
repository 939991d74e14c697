package io.acaciafs.kv.raft.log;

import java.util.Optional;

/**
 * Keeps what the leader appends in order and without gaps: an entry that failed is not followed by
 * others of its term. Safe for use by many threads.
 */
public final class AppendOrder {
  private long term;
  private long position;
  private int piece;

  /**
   * @param newTerm whose entries are taken
   * @param firstPosition of the first batch
   */
  public synchronized void begin(long newTerm, long firstPosition) {
    term = newTerm;
    position = firstPosition;
    piece = 0;
  }

  /** No entries are taken. */
  public synchronized void end() {
    term = 0;
  }

  /** Why an entry is not the next one; empty when it is, which counts it. */
  public synchronized Optional<String> refusal(RaftEntry entry) {
    if (term == 0 || entry.term() != term) {
      return Optional.of("An entry of term " + entry.term() + " comes too late");
    }
    if (entry.isEmpty()) {
      return Optional.empty();
    }
    if (entry.position() != position || entry.piece() != piece) {
      return Optional.of(
          "An entry is missing before batch " + entry.position() + ", piece " + entry.piece());
    }
    if (entry.isLast()) {
      position++;
      piece = 0;
    } else {
      piece++;
    }
    return Optional.empty();
  }
}
