package io.acaciafs.namespace.background;

import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.directory.SplitCandidates.Candidate;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.run.NamespaceOperation;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Divides buckets of directories that have grown beyond acacia.directory.split.threshold, one after
 * the other, in many small transactions. What was begun is in the store, so a process that comes
 * after a crash goes on; two that do so at the same time are in each other's way, and do no harm.
 *
 * <p>Which buckets have grown this process knows by itself. It looks for what others have begun at
 * its start, and after that seldom, where it is the one to go on with it.
 */
public final class Splitter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Splitter.class);
  private static final long TRANSACTION_SECONDS = 60;

  /** Runs between two looks at what others have begun and left. */
  private static final int RUNS_PER_LOOK = 10;

  private final Namespace namespace;
  private final Caller self;
  private final BooleanSupplier isOurs;

  /** Null for one that is run by hand. */
  private @Nullable BackgroundTask task;

  /** Until the next look. Used by the task's thread, as the next one. */
  private int runsLeft;

  /** Whether there may be a division that this process began or went on with. */
  private boolean isUnderWay = true;

  Splitter(Namespace namespace, BooleanSupplier isOurs) {
    this.namespace = namespace;
    this.self = Caller.superuser(namespace.settings().permissions().owner());
    this.isOurs = isOurs;
  }

  /**
   * Begins to divide, and looks for work at this interval.
   *
   * @param isOurs whether this process is to go on with what others have left
   */
  public static Splitter start(Namespace namespace, long intervalMs, BooleanSupplier isOurs) {
    Splitter splitter = new Splitter(namespace, isOurs);
    splitter.task = new BackgroundTask("directory-splitter", intervalMs, splitter::run);
    return splitter;
  }

  void run() throws InterruptedException, ExecutionException, TimeoutException {
    boolean isTimeToLook = runsLeft-- <= 0;
    if (isTimeToLook) {
      runsLeft = RUNS_PER_LOOK - 1;
      isUnderWay |= isOurs.getAsBoolean();
    }
    while (isUnderWay || !namespace.splitCandidates().isEmpty()) {
      isUnderWay = true; // also when it fails, so that it is looked at again
      isUnderWay = splitOnce(namespace, self);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /**
   * One transaction. Waits for its commit.
   *
   * @return whether there was anything to do
   */
  static boolean splitOnce(Namespace namespace, Caller self)
      throws InterruptedException, ExecutionException, TimeoutException {
    Long begun = firstJob(namespace);
    if (begun != null) {
      List<Candidate> next =
          run(namespace, self, tree -> new Next(new DirectorySplit(tree).go(begun))).candidates;
      if (next != null) {
        LOG.info("Directory split directoryId={}", begun);
        next.forEach(namespace.splitCandidates()::offer);
      }
      return true;
    }
    Candidate candidate = namespace.splitCandidates().poll();
    if (candidate == null) {
      return false;
    }
    if (run(namespace, self, tree -> new DirectorySplit(tree).begin(candidate))) {
      LOG.info(
          "Directory is to be split directoryId={} bucket={}",
          candidate.directoryId(),
          candidate.bucket());
    }
    return true;
  }

  /** Null while there is more to move. */
  private record Next(@Nullable List<Candidate> candidates) {}

  private static @Nullable Long firstJob(Namespace namespace) {
    try (Scan jobs = namespace.reader().scan(NamespaceKeys.splitJobs(), 1)) {
      return jobs.hasNext() ? NamespaceKeys.directoryOfSplit(jobs.next().key()) : null;
    }
  }

  private static <T> T run(Namespace namespace, Caller self, NamespaceOperation<T> operation)
      throws InterruptedException, ExecutionException, TimeoutException {
    return namespace.submit(self, operation).get(TRANSACTION_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    if (task != null) {
      task.close();
    }
  }
}
