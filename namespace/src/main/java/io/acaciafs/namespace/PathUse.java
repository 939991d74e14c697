package io.acaciafs.namespace;

/** What a path is resolved for; decides which names are refused and how. */
public enum PathUse {
  READ,
  WRITE,
  /** The last component may come into being: its name must be a valid one. */
  CREATE
}
