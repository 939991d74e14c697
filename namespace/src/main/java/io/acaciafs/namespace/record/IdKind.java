package io.acaciafs.namespace.record;

/** The sequences that ids come from. */
public enum IdKind {
  /** Inode ids begin where HDFS's do: 16385 is the root, and smaller ones are reserved. */
  INODE((byte) 1, 16386),
  /** Block ids begin where HDFS's sequential ones do, behind 2^30. */
  BLOCK((byte) 2, (1L << 30) + 1),
  JOB((byte) 3, 1),
  /** Sequence numbers of delegation tokens, of which the lower 32 bits count. */
  DELEGATION_TOKEN((byte) 4, 1);

  private final byte code;
  private final long first;

  IdKind(byte code, long first) {
    this.code = code;
    this.first = first;
  }

  byte code() {
    return code;
  }

  /** The first number that is given out. */
  public long first() {
    return first;
  }
}
