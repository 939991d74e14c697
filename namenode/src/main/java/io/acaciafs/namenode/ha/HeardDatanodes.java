package io.acaciafs.namenode.ha;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.RegisterDatanodeRequestProto;
import org.jspecify.annotations.Nullable;

/**
 * The last words of DataNodes while another NameNode leads: registration, heartbeat, and the
 * reports of {@link #REPORTS_KEPT_MS}. The leader may have died before it stored what it was told
 * in that time, and a DataNode says it to each NameNode once. So this NameNode takes it all again
 * when it leads; what was stored already changes nothing.
 *
 * <p>Of a DataNode that has spoken to this process for a while before the leader fell silent it has
 * heard all that may be missing. What another one said may have been told to an earlier process,
 * and to a leader that is dead: it has to make a full report. Safe for use by many threads.
 */
public final class HeardDatanodes {
  static final long REPORTS_KEPT_MS = 60_000;

  /** After so long the leader has stored what a DataNode had to say before it spoke to this one. */
  static final long STORED_AFTER_MS = 10_000;

  /** More than a DataNode sends in that time: it sends two for each block that is written. */
  static final int MOST_REPORTS = 10_000;

  /** More than a cluster has; what comes beyond is not kept. */
  static final int MOST_DATANODES = 20_000;

  private final LongSupplier elapsedMs;
  private final BooleanSupplier isLed;
  private final Map<String, Heard> datanodes = new ConcurrentHashMap<>();

  /**
   * @param elapsedMs never goes back
   * @param isLed whether the leader was heard just now
   */
  public HeardDatanodes(LongSupplier elapsedMs, BooleanSupplier isLed) {
    this.elapsedMs = elapsedMs;
    this.isLed = isLed;
  }

  /** What one DataNode has said. */
  private static final class Heard {
    private @Nullable Registration registration;
    private @Nullable HeartbeatRequestProto heartbeat;
    private final Deque<Report> reports = new ArrayDeque<>();

    /** Since when it is known what it says. */
    private long sinceMs;

    /** When a leader was there last. */
    private long ledMs;

    /** Whether a leader was there so long after that. */
    private boolean isComplete;

    Heard(long nowMs) {
      sinceMs = nowMs;
      ledMs = nowMs;
    }

    private void beginAnew(long nowMs) {
      sinceMs = nowMs;
      isComplete = false;
    }
  }

  /**
   * A registration.
   *
   * @param clientMachine where it came from
   */
  public record Registration(RegisterDatanodeRequestProto request, String clientMachine) {}

  private record Report(BlockReceivedAndDeletedRequestProto request, long atMs) {}

  /** Takes what the DataNodes have said. */
  public interface Listener {
    /** What follows is of DataNodes that have registered, one after the other. */
    void registration(Registration registration);

    void heartbeat(HeartbeatRequestProto heartbeat);

    void report(BlockReceivedAndDeletedRequestProto report);
  }

  void registered(String uuid, Registration registration) {
    with(
        uuid,
        heard -> {
          heard.registration = registration;
          heard.beginAnew(elapsedMs.getAsLong()); // it has started, and makes a full report
        });
  }

  void heartbeat(String uuid, HeartbeatRequestProto request) {
    with(
        uuid,
        heard -> {
          heard.heartbeat = request;
          if (isLed.getAsBoolean()) {
            heard.ledMs = elapsedMs.getAsLong();
            heard.isComplete |= heard.ledMs - heard.sinceMs >= STORED_AFTER_MS;
          }
        });
  }

  void report(String uuid, BlockReceivedAndDeletedRequestProto request) {
    long nowMs = elapsedMs.getAsLong();
    with(
        uuid,
        heard -> {
          heard.reports.add(new Report(request, nowMs));
          while (heard.reports.size() > MOST_REPORTS
              || nowMs - heard.reports.getFirst().atMs() > REPORTS_KEPT_MS) {
            long toldMs = heard.reports.removeFirst().atMs();
            if (heard.ledMs - toldMs < STORED_AFTER_MS) {
              heard.beginAnew(nowMs); // a leader may not have stored what is no longer kept
            }
          }
        });
  }

  private void with(String uuid, Consumer<Heard> change) {
    if (datanodes.size() >= MOST_DATANODES && !datanodes.containsKey(uuid)) {
      return;
    }
    Heard heard = datanodes.computeIfAbsent(uuid, key -> new Heard(elapsedMs.getAsLong()));
    synchronized (heard) {
      change.accept(heard);
    }
  }

  /**
   * Tells what is known, and forgets it, but for whom it has heard: what they say to this process
   * while it leads they say again when it could not store it.
   *
   * @return those of which everything is known that the leader before may not have stored
   */
  public Set<String> takeOver(Listener listener) {
    Set<String> complete = new HashSet<>();
    datanodes.forEach(
        (uuid, heard) -> {
          tell(heard, listener);
          synchronized (heard) {
            if (heard.isComplete) {
              complete.add(uuid);
            }
          }
        });
    return complete;
  }

  private void tell(Heard heard, Listener listener) {
    @Nullable Registration registration;
    @Nullable HeartbeatRequestProto heartbeat;
    List<BlockReceivedAndDeletedRequestProto> reports = new ArrayList<>();
    long nowMs = elapsedMs.getAsLong();
    synchronized (heard) {
      registration = heard.registration;
      heartbeat = heard.heartbeat;
      for (Report report : heard.reports) {
        if (nowMs - report.atMs() <= REPORTS_KEPT_MS) {
          reports.add(report.request());
        }
      }
      heard.registration = null;
      heard.heartbeat = null;
      heard.reports.clear();
    }
    if (registration != null) {
      listener.registration(registration);
    }
    if (heartbeat != null) {
      listener.heartbeat(heartbeat);
    }
    reports.forEach(listener::report);
  }

  public boolean isEmpty() {
    return datanodes.isEmpty();
  }
}
