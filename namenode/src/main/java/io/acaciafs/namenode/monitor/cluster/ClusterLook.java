package io.acaciafs.namenode.monitor.cluster;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.StoreCluster;
import io.acaciafs.kv.run.FailureText;
import io.acaciafs.namenode.monitor.LastKnown;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the cluster that keeps the store. Asks only when somebody looks, once in ten
 * seconds at most, and waits half a second for each answer: then what was known before is shown.
 * Safe for use by many threads.
 */
public final class ClusterLook {
  /** How many readings may be under way at a time. */
  public static final int READINGS = 3;

  private static final long KEEP_MS = 10_000;

  /** Regions change their coprocessor seldom, and to find out may take a request to each. */
  private static final long KEEP_COPROCESSOR_MS = 60_000;

  private static final long PATIENCE_MS = 500;

  private final LastKnown<Known<StoreCluster.State>> state;
  private final LastKnown<Known<List<StoreCluster.Load>>> loads;
  private final LastKnown<Known<Optional<StoreCluster.Coprocessor>>> coprocessor;

  /**
   * What a question has brought.
   *
   * @param value null: none yet, or a failure
   * @param failure a sentence for people; empty: none
   */
  public record Known<T>(@Nullable T value, String failure) {
    static <T> Known<T> nothing() {
      return new Known<>(null, "");
    }
  }

  /**
   * @param reader waits for the servers; with {@link #READINGS} threads
   */
  public ClusterLook(StoreCluster cluster, Executor reader) {
    this.state = new LastKnown<>(() -> ask(cluster::state), Known.nothing(), KEEP_MS, reader);
    this.loads = new LastKnown<>(() -> ask(cluster::loads), Known.nothing(), KEEP_MS, reader);
    this.coprocessor =
        new LastKnown<>(
            () -> ask(cluster::coprocessor), Known.nothing(), KEEP_COPROCESSOR_MS, reader);
  }

  /** A failure is kept as long as an answer. */
  private static <T> Known<T> ask(Supplier<T> question) {
    try {
      return new Known<>(question.get(), "");
    } catch (RuntimeException e) { // one that comes of a store that is closed, too
      return new Known<>(null, FailureText.of(e));
    }
  }

  public Known<StoreCluster.State> state() {
    return value(state);
  }

  public Known<List<StoreCluster.Load>> loads() {
    return value(loads);
  }

  /** Of regions; a minute old at most. */
  public Known<Optional<StoreCluster.Coprocessor>> coprocessor() {
    return value(coprocessor);
  }

  private static <T> Known<T> value(LastKnown<Known<T>> known) {
    try {
      return known.value(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS));
    } catch (StoreException e) { // this NameNode ends
      return new Known<>(null, FailureText.of(e));
    }
  }
}
