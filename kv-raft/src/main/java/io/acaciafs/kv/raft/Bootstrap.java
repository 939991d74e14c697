package io.acaciafs.kv.raft;

import io.acaciafs.kv.raft.copy.IncomingCopy;
import io.acaciafs.kv.rocksdb.log.local.SmallFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes a store of a copy of the leader's, for a member that is to be started. That may be one
 * whose disk was lost, and with it what it had acknowledged and whom it had voted for. So the copy
 * is one that was made since by a member that has shown since that it leads: it has all that was
 * acknowledged. And the member begins in the leader's term, with its vote given to the leader. For
 * one thread.
 */
final class Bootstrap {
  private static final long PATIENCE_MS = 30_000;
  private static final long PAUSE_MS = 200;

  private final RaftOptions options;
  private final long patienceMs;
  private @Nullable IOException failure;

  private Bootstrap(RaftOptions options, long patienceMs) {
    this.options = options;
    this.patienceMs = patienceMs;
  }

  /**
   * Fetches the copy, and puts it into the folder.
   *
   * @throws IOException with a sentence for people, when no member gives one
   */
  static void run(RaftOptions options) throws IOException {
    run(options, PATIENCE_MS);
  }

  /**
   * @param patienceMs how long it waits for a leader
   */
  static void run(RaftOptions options, long patienceMs) throws IOException {
    Files.createDirectories(options.folder());
    new Bootstrap(options, patienceMs).fetch();
  }

  /**
   * Refuses a folder that was filled by another way than {@link #run}, as by the restore of a
   * backup, where there is a group already.
   *
   * @throws IOException with a sentence for people
   */
  static void requireNewGroup(RaftOptions options) throws IOException {
    for (OtherMember other : new Bootstrap(options, 0).others()) {
      if (!other.isOf(RaftGroups.of(options))) {
        throw new IOException(other.strangerTo(options.folder()));
      }
      if (other.standing().index() >= 0) {
        throw new IOException(
            "The folder "
                + options.folder()
                + " has never taken part in the group, in which "
                + other.name()
                + " has a log already: it lacks what is in that log. Empty the folder, and run"
                + " 'acacia bootstrap', see docs/ha.md");
      }
    }
  }

  private void fetch() throws IOException {
    long beginNs = System.nanoTime();
    List<OtherMember> others = others();
    OtherMember leader = leader(others);
    while (leader == null && isUnderWay(others)) {
      if (System.nanoTime() - beginNs > TimeUnit.MILLISECONDS.toNanos(patienceMs)) {
        throw new IOException(
            "No member leads, and only one that does has all that was acknowledged. Have most"
                + " members run, and try again",
            failure);
      }
      pause();
      others = others();
      leader = leader(others);
    }
    if (others.isEmpty()) {
      throw new IOException(
          "No other member gave a copy of its store. Start the one that was formatted first, and"
              + " see that its address is reached: "
              + options.members(),
          failure);
    }
    OtherMember source = leader == null ? others.get(0) : leader;
    IncomingCopy incoming = MemberFolder.incoming(options, (bytes, ofAll) -> {});
    if (leader == null) { // nothing was acknowledged yet
      incoming.fetch(source.address(), options.security());
    } else {
      incoming.fetchNew(source.address(), options.security());
    }
    if (leader != null && NewMember.names(incoming.folder(), options.self())) {
      vote(leader);
    }
    incoming.install();
  }

  /** Those that answer. */
  private List<OtherMember> others() {
    return OtherMember.all(options, e -> failure = e);
  }

  /** Of several the one with the highest term; null: none leads. */
  private static @Nullable OtherMember leader(List<OtherMember> others) {
    return others.stream()
        .filter(other -> other.standing().leads())
        .max(Comparator.comparingLong(other -> other.standing().term()))
        .orElse(null);
  }

  /** Whether the group has ever written something. */
  private static boolean isUnderWay(List<OtherMember> others) {
    return others.stream().anyMatch(other -> other.standing().index() >= 0);
  }

  private static void pause() throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while no member led");
    }
  }

  /** As Ratis stores it. Source: Ratis 3.3.0, {@code RaftStorageMetadataFileImpl}. */
  private void vote(OtherMember leader) throws IOException {
    Path storage =
        options.logFolder().resolve(leader.standing().group().toString()).resolve("current");
    Files.createDirectories(storage);
    String vote = "term=" + leader.standing().term() + "\nvotedFor=" + leader.name() + "\n";
    SmallFile.replace(storage, "raft-meta", vote);
  }
}
