package io.acaciafs.kv.hbase.client;

import io.acaciafs.hbase.protocol.RegionService;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether requests go to the coprocessor of the store's table. Where regions turn out not to have
 * it, they go to what stock HBase has for a minute. Both may be used at the same time. Safe for use
 * by many threads.
 */
public final class CoprocessorUse {
  private static final Logger LOG = LoggerFactory.getLogger(CoprocessorUse.class);

  private static final long PAUSE_NS = TimeUnit.MINUTES.toNanos(1);

  /** HBase's words for a service that a region does not have; the class is the server's own. */
  private static final String UNKNOWN_SERVICE = "No registered coprocessor service found for ";

  /** The same for a method that a service does not have, as it is older. */
  private static final String UNKNOWN_METHOD = "Unknown method ";

  private final LongSupplier nanos;
  private volatile boolean isLoaded;

  /** Not before this time, if {@link #isPaused}. */
  private volatile long againNs;

  private volatile boolean isPaused;

  public CoprocessorUse(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * @param hasIt whether the table names it
   */
  public void loadedByTable(boolean hasIt) {
    isLoaded = hasIt;
  }

  public boolean isOn() {
    if (isPaused && nanos.getAsLong() - againNs >= 0) {
      isPaused = false;
    }
    return isLoaded && !isPaused;
  }

  /** Whether the table names it, or did so when it was opened. */
  public boolean isNamedByTable() {
    return isLoaded;
  }

  /** Whether a request failed since its region has no coprocessor; if so, it wrote nothing. */
  public boolean noteIfMissing(IOException failure) {
    if (!isMissing(failure)) {
      return false;
    }
    if (!isPaused) {
      LOG.warn("A region does not have the coprocessor that its table names; going on without");
    }
    againNs = nanos.getAsLong() + PAUSE_NS;
    isPaused = true;
    return true;
  }

  /** Whether a request failed since its region has no coprocessor. */
  public static boolean isMissing(IOException failure) {
    return says(failure, UNKNOWN_SERVICE);
  }

  /** Whether a request failed since the coprocessor of its region has no such method. */
  public static boolean isTooOld(IOException failure) {
    return says(failure, UNKNOWN_METHOD);
  }

  private static boolean says(IOException failure, String words) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String text = String.valueOf(cause.getMessage());
      if (text.contains(words) && text.contains(RegionService.NAME)) {
        return true;
      }
    }
    return false;
  }
}
