package io.acaciafs.namespace.path;

/**
 * What a path is resolved for; decides which names are refused and how. A symbolic link on the way
 * always ends the resolution; one at the end of the path only where the use does not say LINK.
 */
public enum PathUse {
  READ,
  /** For what asks then whether the file may be read, and with it who may come there. */
  READ_DATA,
  /** The link itself, if the last component is one. */
  READ_LINK,
  WRITE,
  WRITE_LINK,
  /** The last component may come into being: its name must be a valid one. */
  CREATE,
  CREATE_LINK,
  /** The same where most often nothing of the name is there yet. */
  NEW_LINK;

  public boolean writes() {
    return this != READ && this != READ_DATA && this != READ_LINK;
  }

  public boolean creates() {
    return this == CREATE || this == CREATE_LINK || this == NEW_LINK;
  }

  /** Whether most often nothing of the name is there yet. */
  public boolean expectsNothing() {
    return this == CREATE || this == NEW_LINK;
  }

  public boolean resolvesLink() {
    return this == READ || this == READ_DATA || this == WRITE || this == CREATE;
  }
}
