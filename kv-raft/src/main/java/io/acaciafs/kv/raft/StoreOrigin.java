package io.acaciafs.kv.raft;

import io.acaciafs.kv.rocksdb.log.local.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Tells stores apart that are of the same cluster but were filled anew, by a format, an import, or
 * the restore of a backup: the file {@code RAFT-ORIGIN} has a random id, which copies for other
 * members have too. It is part of the name of the group, so a store of before a restore never takes
 * part with those of after it, nor takes the log of one the rows of the other. A store that an
 * earlier version has made has no such file. Stateless.
 */
final class StoreOrigin {
  private static final String FILE = "RAFT-ORIGIN";

  private StoreOrigin() {}

  /** The store of this folder was filled anew. */
  static void make(Path folder) throws IOException {
    SmallFile.replace(folder, FILE, UUID.randomUUID().toString());
  }

  /** Empty where an earlier version has made the store. */
  static String of(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    return Files.exists(file) ? Files.readString(file).strip() : "";
  }

  /** A copy of the store has the same. */
  static void copy(Path from, Path to) throws IOException {
    if (Files.exists(from.resolve(FILE))) {
      Files.copy(from.resolve(FILE), to.resolve(FILE));
    }
  }
}
