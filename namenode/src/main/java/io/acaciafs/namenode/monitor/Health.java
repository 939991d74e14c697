package io.acaciafs.namenode.monitor;

import io.acaciafs.blocks.safemode.SafeMode;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.run.RepeatedFailures;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.web.JsonPart.Answer;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this NameNode can do its work: 200 when its store reads and writes, in safe mode too;
 * else 503. Reads one row.
 */
public final class Health {
  private static final Logger LOG = LoggerFactory.getLogger(Health.class);
  private static final String NOT_READ = "Store cannot be read";
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final RepeatedFailures failures = new RepeatedFailures(LOG);
  private final Watched watched;
  private final Clock clock;
  private final @Nullable ReplicationHealth replication;

  /**
   * @param replication null where this NameNode is not one of several of which one leads
   */
  public Health(Watched watched, Clock clock, @Nullable ReplicationHealth replication) {
    this.watched = watched;
    this.clock = clock;
    this.replication = replication;
  }

  /** As of now. */
  public Answer check() {
    StoreException failure = watched.store().opened().writeFailure();
    boolean reads = readsStore();
    SafeMode safeMode = watched.blocks().safeMode();
    boolean isSafeMode = safeMode.isOn();
    boolean works = reads && failure == null;
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("status", !works ? "failed" : isSafeMode ? "safemode" : "ok");
    body.put("storeReadable", reads);
    body.put("storeWritable", failure == null);
    if (failure != null) {
      body.put("storeFailure", String.valueOf(failure.getMessage()));
    }
    body.put("safeMode", isSafeMode);
    if (isSafeMode) {
      body.put("safeModeTip", safeMode.tip());
    }
    body.put("liveDataNodes", watched.blocks().liveDatanodes());
    body.put("uptimeMs", clock.millis() - watched.start().startedMs());
    if (replication != null) {
      replication.addTo(body);
    }
    return new Answer(works ? OK : UNAVAILABLE, body);
  }

  private boolean readsStore() {
    try {
      boolean answered = Namespace.isFormatted(watched.store().opened());
      failures.succeeded(NOT_READ);
      return answered;
    } catch (RuntimeException e) { // whatever it is, that is the answer
      failures.failed(NOT_READ, e);
      return false;
    }
  }
}
