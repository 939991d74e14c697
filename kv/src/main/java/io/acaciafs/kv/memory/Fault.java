package io.acaciafs.kv.memory;

/** What may happen to one commit, besides going well. */
public enum Fault {
  /** Fails with a conflict although every guard holds, as hash collisions or lost races do. */
  CONFLICT,
  /** Is visible, but durable only with a later commit or {@link MemoryStore#makeDurable}. */
  DELAY,
  /** Takes effect and is durable, and fails with a {@link io.acaciafs.kv.StoreException}. */
  LOST_REPLY,
  /**
   * The store dies before the commit is durable, and fails it and all that were not yet durable.
   */
  CRASH_BEFORE_DURABLE,
  /** The store dies after the commit became durable, with everything before it, without a reply. */
  CRASH_AFTER_DURABLE
}
