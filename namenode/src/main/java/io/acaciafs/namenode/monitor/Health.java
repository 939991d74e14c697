package io.acaciafs.namenode.monitor;

import io.acaciafs.blocks.safemode.SafeMode;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namenode.monitor.replication.ReplicationHealth;
import io.acaciafs.web.JsonPart.Answer;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether this NameNode can do its work: 200 when its store reads and writes, in safe mode too;
 * else 503. Reads one row.
 */
public final class Health {
  private static final int OK = 200;
  private static final int UNAVAILABLE = 503;

  private final Watched watched;
  private final StoreHealth store;
  private final Clock clock;
  private final @Nullable ReplicationHealth replication;

  /**
   * @param replication null where this NameNode is not one of several of which one leads
   */
  public Health(Watched watched, Clock clock, @Nullable ReplicationHealth replication) {
    this.watched = watched;
    this.store = new StoreHealth(watched.store().opened());
    this.clock = clock;
    this.replication = replication;
  }

  /** As of now: waits for the store. */
  public Answer check() {
    return answer(store.reads());
  }

  /** As far as it is known without a wait for the store of more than half a second. */
  public Answer known(StoreSight sight) {
    return answer(sight.reads());
  }

  private Answer answer(boolean reads) {
    StoreException failure = store.writeFailure();
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
}
