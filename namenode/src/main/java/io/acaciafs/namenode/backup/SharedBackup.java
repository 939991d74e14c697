package io.acaciafs.namenode.backup;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.Snapshots;
import io.acaciafs.kv.run.FailureText;
import io.acaciafs.namenode.members.Member;
import io.acaciafs.namenode.members.MemberMessage;
import io.acaciafs.namenode.members.MemberSender;
import io.acaciafs.namenode.members.MemberTable;
import io.acaciafs.namenode.members.Members;
import io.acaciafs.namenode.process.RunningWork;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Snapshots of a store that several NameNodes serve. The engine's servers copy one part of the
 * store after the other, and a transaction may span several parts. So all NameNodes pause their
 * commits meanwhile, except those of their leases. If one of them may have committed (it did not
 * answer, has just started, or paused for less time), there is no snapshot.
 */
public final class SharedBackup {
  private static final Logger LOG = LoggerFactory.getLogger(SharedBackup.class);

  /** Clients wait so long at most; a snapshot takes a second or a few. */
  private static final long LONGEST_MS = 20_000;

  private static final String YES = "yes";
  private static final String NO = "no";

  private final Store store;
  private final Snapshots snapshots;
  private final String engine;
  private final Members members;
  private final MemberSender sender;
  private final StorePauses pauses;
  private volatile String step = "";

  /**
   * @param engine its name in sentences for people
   */
  public SharedBackup(
      Store store,
      String engine,
      Members members,
      Snapshots snapshots,
      MemberSender sender,
      StorePauses pauses) {
    this.store = store;
    this.snapshots = snapshots;
    this.engine = engine;
    this.members = members;
    this.sender = sender;
    this.pauses = pauses;
  }

  /**
   * What this NameNode does for another one that takes a snapshot.
   *
   * @param before runs before a pause begins
   */
  public static CompletableFuture<List<String>> hear(
      MemberMessage message, Runnable before, StorePauses pauses, Executor executor) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            boolean done;
            if (message.kind() == MemberMessage.Kind.PAUSE) {
              before.run();
              done = pauses.begin(message.namedChange(), message.directoryIds().get(0));
            } else {
              done = pauses.end(message.namedChange());
            }
            return List.of(done ? YES : NO);
          } catch (IOException | StoreException e) {
            return List.of(FailureText.of(e));
          }
        },
        executor);
  }

  /** Takes a snapshot of this name as the copy of a backup. */
  public BackupFolder.Copier copier(String snapshot) {
    return new SnapshotCopier(snapshot);
  }

  /** Takes a snapshot as a copy. The servers do not tell how far they are, so the step is told. */
  private final class SnapshotCopier implements BackupFolder.Copier {
    private final String snapshot;

    private SnapshotCopier(String snapshot) {
      this.snapshot = snapshot;
    }

    @Override
    public void copy(Path part, Properties more) throws IOException {
      take(snapshot);
      more.setProperty(BackupFolder.SNAPSHOT_KEY, snapshot);
    }

    @Override
    public RunningWork.Progress progress(Path part) {
      return RunningWork.Progress.of(step);
    }
  }

  /**
   * Takes one.
   *
   * @throws IOException when it is none; then it is removed
   */
  void take(String snapshot) throws IOException {
    String pause = UUID.randomUUID().toString();
    step = engine + " writes out what it holds in memory";
    snapshots.prepare(); // what is done now need not be done in the pause
    boolean isTaken = false;
    try {
      List<Long> before = MemberTable.numbers(store);
      step = "all NameNodes end their commits";
      begin(pause);
      step = engine + " takes the snapshot";
      snapshots.take(snapshot);
      isTaken = true;
      if (!end(pause) || !MemberTable.numbers(store).equals(before)) {
        throw new IOException(
            "It took "
                + engine
                + " longer than "
                + LONGEST_MS
                + " ms to take the snapshot, or a NameNode came or"
                + " went. Try again");
      }
      isTaken = false;
    } catch (StoreException e) {
      throw new IOException("No snapshot was taken: " + e.getMessage(), e);
    } finally {
      pauses.end(pause);
      if (isTaken) {
        discard(pause, snapshot);
      }
    }
  }

  private void begin(String pause) throws IOException {
    if (!pauses.begin(pause, LONGEST_MS)) {
      throw new IOException("Changes under way do not end, try again later");
    }
    Map<Member, List<String>> answers =
        ask(MemberMessage.Kind.PAUSE, pause, List.of(LONGEST_MS), LONGEST_MS / 2);
    if (!allSay(answers)) {
      ask(MemberMessage.Kind.RESUME, pause, List.of(), LONGEST_MS);
      throw new IOException("Not all NameNodes pause, try again later: " + answers);
    }
  }

  private boolean end(String pause) throws IOException {
    boolean held = pauses.end(pause);
    return allSay(ask(MemberMessage.Kind.RESUME, pause, List.of(), LONGEST_MS)) && held;
  }

  private boolean allSay(Map<Member, List<String>> answers) {
    int others = members.live().size() - 1;
    return answers.size() == others
        && answers.values().stream().allMatch(answer -> answer.equals(List.of(YES)));
  }

  private Map<Member, List<String>> ask(
      MemberMessage.Kind kind, String pause, List<Long> numbers, long patienceMs)
      throws IOException {
    try {
      return sender
          .sendToAll(kind, pause, numbers, patienceMs)
          .get(2 * patienceMs, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("A NameNode does not answer, try again later: " + FailureText.of(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while a snapshot was taken");
    }
  }

  private void discard(String pause, String snapshot) {
    try {
      snapshots.remove(snapshot);
    } catch (StoreException e) {
      LOG.warn(
          "Snapshot not removed, remove it in the engine snapshot={} pause={}", snapshot, pause, e);
    }
  }
}
