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

  /** Whether a request failed since its region has no coprocessor; if so, it wrote nothing. */
  public boolean noteIfMissing(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String text = String.valueOf(cause.getMessage());
      if (text.contains(UNKNOWN_SERVICE) && text.contains(RegionService.NAME)) {
        if (!isPaused) {
          LOG.warn("A region does not have the coprocessor that its table names; going on without");
        }
        againNs = nanos.getAsLong() + PAUSE_NS;
        isPaused = true;
        return true;
      }
    }
    return false;
  }
}
