package io.acaciafs.kv.run;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.UnavailableException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Logs the failures of what is tried again and again. One of a new kind is logged with its stack;
 * as long as it does not succeed, one line follows after a minute, and then after pauses that
 * double up to an hour. So a store that has failed does not fill the log. A store that does not
 * answer is no bug, so its failures are lines without a stack. The {@link FailureBoard} shows what
 * fails now. Safe for use by many threads.
 */
public final class RepeatedFailures {
  private static final long FIRST_PAUSE_NS = TimeUnit.MINUTES.toNanos(1);
  private static final long LONGEST_PAUSE_NS = TimeUnit.HOURS.toNanos(1);

  private final Logger log;
  private final LongSupplier nanoTime;

  /** By what is tried, and by kind. */
  private final Map<String, Map<Class<?>, Series>> failing = new HashMap<>();

  /** Failures of one kind, one after the other. */
  private static final class Series {
    private long pauseNs = FIRST_PAUSE_NS;
    private long loggedNs;
    private long silent;

    Series(long nowNs) {
      this.loggedNs = nowNs;
    }
  }

  public RepeatedFailures(Logger log) {
    this(log, System::nanoTime);
  }

  RepeatedFailures(Logger log, LongSupplier nanoTime) {
    this.log = log;
    this.nanoTime = nanoTime;
  }

  /**
   * It failed.
   *
   * @param what was tried, for the log; one of few texts
   */
  public synchronized void failed(String what, Throwable failure) {
    long nowNs = nanoTime.getAsLong();
    FailureBoard.ofThisProcess().failed(what, failure, nowNs);
    Throwable unavailable = StoreException.find(failure, UnavailableException.class);
    Class<?> kind = unavailable == null ? rootOf(failure).getClass() : UnavailableException.class;
    Map<Class<?>, Series> kinds = failing.computeIfAbsent(what, tried -> new HashMap<>());
    Series series = kinds.get(kind);
    if (series == null) {
      kinds.put(kind, new Series(nowNs));
      if (unavailable == null) {
        log.warn(what, failure);
      } else {
        log.warn("{} reason={}", what, unavailable.getMessage());
        log.debug(what, failure);
      }
    } else if (nowNs - series.loggedNs < series.pauseNs) {
      series.silent++;
      log.debug(what, failure);
    } else {
      log.warn("{}, still count={} cause={}", what, series.silent + 1, failure.toString());
      series.pauseNs = Math.min(LONGEST_PAUSE_NS, 2 * series.pauseNs);
      series.loggedNs = nowNs;
      series.silent = 0;
    }
  }

  /** It succeeded, so the next failure is news. */
  public synchronized void succeeded(String what) {
    if (failing.remove(what) != null) {
      FailureBoard.ofThisProcess().succeeded(what);
    }
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root;
  }
}
