package io.acaciafs.namespace.lease;

import io.acaciafs.kv.StoreException;
import java.util.Set;

/**
 * An operation is about to change directories that others may rest on: it is to be run again when
 * they know. Ends an attempt as a store that cannot go on does, before anything is written.
 */
public final class AnnounceFirstException extends StoreException {
  private final transient Set<Long> directoryIds;

  public AnnounceFirstException(Set<Long> directoryIds) {
    super("Directories that are to change have to be announced");
    this.directoryIds = directoryIds;
  }

  public Set<Long> directoryIds() {
    return directoryIds;
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
