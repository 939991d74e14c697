package io.acaciafs.namespace.background;

import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.Caller;
import io.acaciafs.namespace.DirectorySplit;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.NamespaceOperation;
import io.acaciafs.namespace.SplitCandidates.Candidate;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Divides buckets of directories that have grown beyond acacia.directory.split.threshold, one after
 * the other, in many small transactions. What was begun stands in the store, so whoever comes after
 * a crash goes on; two that do so at the same time are in each other's way, and do no harm.
 */
public final class Splitter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Splitter.class);
  private static final long TRANSACTION_SECONDS = 60;

  private final BackgroundTask task;

  /** Begins to divide, and looks for work at this interval. */
  public Splitter(Namespace namespace, long intervalMs) {
    Caller self = Caller.superuser(namespace.settings().owner());
    this.task =
        new BackgroundTask("directory-splitter", intervalMs, () -> splitAll(namespace, self));
  }

  private static void splitAll(Namespace namespace, Caller self)
      throws InterruptedException, ExecutionException, TimeoutException {
    boolean more = true;
    while (more) {
      more = splitOnce(namespace, self);
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
  private record Next(List<Candidate> candidates) {}

  private static Long firstJob(Namespace namespace) {
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
    task.close();
  }
}
