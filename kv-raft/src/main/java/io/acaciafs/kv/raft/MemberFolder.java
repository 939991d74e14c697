package io.acaciafs.kv.raft;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.raft.copy.CopyProgress;
import io.acaciafs.kv.raft.copy.CopyRate;
import io.acaciafs.kv.raft.copy.IncomingCopy;
import io.acaciafs.kv.raft.log.AppliedMark;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a member finds in its folder when it starts.
 *
 * @param mark what the files of the store hold
 * @param hasLog whether Ratis's log is there
 * @param isNew whether the store is a copy of another member's, and has not taken part yet
 */
record MemberFolder(AppliedMark mark, boolean hasLog, boolean isNew) {
  /**
   * Puts a copy in place that an earlier process had fetched, and makes the store of one server
   * that of a member.
   *
   * @throws IOException with a sentence for people, as where the log is lost
   * @throws StoreException when the folder is in use or damaged
   */
  static MemberFolder open(RaftOptions options, Set<Table> tables, RocksDbOptions storeOptions)
      throws IOException {
    Path folder = options.folder();
    Files.createDirectories(folder);
    IncomingCopy incoming = incoming(options, (bytes, ofAll) -> {});
    if (incoming.isComplete()) {
      incoming.install(); // an earlier process ended in between
    }
    if (!AppliedMark.isIn(folder)) {
      RocksDbStore.open(folder, tables, storeOptions).close(); // all rows into files
      AppliedMark.NONE.write(folder);
    }
    AppliedMark mark = AppliedMark.read(folder);
    boolean hasLog = hasLog(options.logFolder());
    boolean isNew = NewMember.isIn(folder);
    if (mark.index() >= 0 && !hasLog && !isNew) {
      throw new IOException(
          "The Raft log "
              + options.logFolder()
              + " is missing, though its store was in use. With an empty log this member could"
              + " vote twice: empty its folder, and run 'acacia bootstrap', see docs/ha.md");
    }
    return new MemberFolder(mark, hasLog, isNew);
  }

  private static boolean hasLog(Path logFolder) throws IOException {
    if (!Files.isDirectory(logFolder)) {
      return false;
    }
    try (Stream<Path> content = Files.list(logFolder)) {
      return content.findAny().isPresent();
    }
  }

  /** The copy of another member's store that the folder has, whole or in part, or is to get. */
  static IncomingCopy incoming(RaftOptions options, CopyProgress progress) {
    return new IncomingCopy(options.folder(), new CopyRate(options.copyBytesPerSecond()), progress);
  }
}
