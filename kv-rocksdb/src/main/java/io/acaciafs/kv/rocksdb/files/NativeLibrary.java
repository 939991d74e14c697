package io.acaciafs.kv.rocksdb.files;

import io.acaciafs.kv.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * RocksDB's own code, which a process loads once. RocksDB lets a second caller wait for the first
 * for ten seconds and then gives up, without a word about what the first has met; here the second
 * waits as long as it takes, and meets the same. Safe for use by many threads.
 */
public final class NativeLibrary {
  private final Runnable loader;
  private boolean isLoaded;
  private @Nullable StoreException failure;

  public NativeLibrary(Runnable loader) {
    this.loader = loader;
  }

  /**
   * @throws StoreException when it cannot be loaded, by this call or by one before
   */
  public synchronized void load() {
    if (failure != null) {
      throw new StoreException(String.valueOf(failure.getMessage()), failure);
    }
    if (isLoaded) {
      return;
    }
    try {
      loader.run();
      isLoaded = true;
    } catch (RuntimeException | LinkageError e) {
      failure = new StoreException("Cannot load RocksDB: " + e.getMessage(), e);
      throw failure;
    }
  }
}
