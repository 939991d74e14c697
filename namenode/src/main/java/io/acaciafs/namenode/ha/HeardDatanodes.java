package io.acaciafs.namenode.ha;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.RegisterDatanodeRequestProto;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.jspecify.annotations.Nullable;

/**
 * The last words of DataNodes while another NameNode leads: registration, heartbeat, and the
 * reports of {@link #REPORTS_KEPT_MS}. The leader may have died before it stored what it was told
 * in that time, and a DataNode says it to each NameNode once. So this NameNode takes it all again
 * when it leads; what was stored already changes nothing.
 *
 * <p>What comes behind that, before the leader's protocols are served, nobody would take: it is
 * refused, and the DataNode says it again. Reports are told once, as one of a replica that was
 * deleted in the meantime would bring it back. Where the term ended before they were durable, the
 * DataNode has to make a full report.
 *
 * <p>Of a DataNode that has spoken to this process for a while before the leader fell silent it has
 * heard all that may be missing. What another one said may have been told to an earlier process,
 * and to a leader that is dead: it has to make a full report. So has a DataNode that registered
 * lately: it has started, and the leader may not have its first full report. Safe for use by many
 * threads.
 */
public final class HeardDatanodes {
  static final long REPORTS_KEPT_MS = 60_000;

  /** After so long the leader has stored what a DataNode had to say before it spoke to this one. */
  static final long STORED_AFTER_MS = 10_000;

  /** More than a DataNode sends in that time: it sends two for each block that is written. */
  static final int MOST_REPORTS = 10_000;

  private static final CompletableFuture<?> NOTHING_TOLD = CompletableFuture.completedFuture(null);

  /** More than a cluster has; what comes beyond is not kept. */
  static final int MOST_DATANODES = 20_000;

  private final LongSupplier elapsedMs;
  private final BooleanSupplier isLed;
  private final long mostBytes;
  private final Map<String, Heard> datanodes = new ConcurrentHashMap<>();

  /** From the moment that this NameNode takes what was said until it stands by again. */
  private volatile boolean isTaken;

  /** Of the reports of all DataNodes. */
  private final AtomicLong bytes = new AtomicLong();

  /**
   * @param elapsedMs never goes back
   * @param isLed whether the leader was heard just now
   * @param mostBytes that reports of all DataNodes may take; with more, a DataNode's oldest go
   *     first
   */
  public HeardDatanodes(LongSupplier elapsedMs, BooleanSupplier isLed, long mostBytes) {
    this.elapsedMs = elapsedMs;
    this.isLed = isLed;
    this.mostBytes = mostBytes;
  }

  /** What one DataNode has said. */
  private static final class Heard {
    private @Nullable Registration registration;
    private long registeredMs;
    private @Nullable HeartbeatRequestProto heartbeat;
    private final Deque<Report> reports = new ArrayDeque<>();

    /** Since when it is known what it says. */
    private long sinceMs;

    /** When a leader was there last. */
    private long ledMs;

    /** Whether a leader was there so long after that. */
    private boolean isComplete;

    /** Of the reports that were told in this term: completes when they are durable. */
    private CompletableFuture<?> stored = NOTHING_TOLD;

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

  /** Encoded: that takes a fraction of the memory. */
  private record Report(byte[] request, long atMs) {}

  /** Takes what the DataNodes have said. */
  public interface Listener {
    /** What follows is of DataNodes that have registered, one after the other. */
    void registration(Registration registration);

    void heartbeat(HeartbeatRequestProto heartbeat);

    /**
     * @return completes when it is durable
     */
    CompletableFuture<?> report(BlockReceivedAndDeletedRequestProto report);
  }

  /**
   * @return whether it is kept; else the DataNode has to say it again
   */
  boolean registered(String uuid, Registration registration) {
    return keep(
        uuid,
        heard -> {
          heard.registration = registration;
          heard.registeredMs = elapsedMs.getAsLong();
          heard.beginAnew(heard.registeredMs); // it has started, and makes a full report
        });
  }

  void heartbeat(String uuid, HeartbeatRequestProto request) {
    long nowMs = elapsedMs.getAsLong();
    keep(
        uuid,
        heard -> {
          heard.heartbeat = request;
          if (isLed.getAsBoolean()) {
            heard.ledMs = nowMs;
            heard.isComplete |= nowMs - heard.sinceMs >= STORED_AFTER_MS;
          }
          forgetOldReports(heard, nowMs);
        });
  }

  /**
   * @return whether it is kept; else the DataNode has to say it again
   */
  boolean report(String uuid, BlockReceivedAndDeletedRequestProto request) {
    long nowMs = elapsedMs.getAsLong();
    return keep(
        uuid,
        heard -> {
          Report report = new Report(request.toByteArray(), nowMs);
          heard.reports.add(report);
          bytes.addAndGet(report.request().length);
          forgetOldReports(heard, nowMs);
        });
  }

  private void forgetOldReports(Heard heard, long nowMs) {
    while (!heard.reports.isEmpty()
        && (heard.reports.size() > MOST_REPORTS
            || bytes.get() > mostBytes
            || nowMs - heard.reports.getFirst().atMs() > REPORTS_KEPT_MS)) {
      Report oldest = heard.reports.removeFirst();
      bytes.addAndGet(-oldest.request().length);
      if (heard.ledMs - oldest.atMs() < STORED_AFTER_MS) {
        heard.beginAnew(nowMs); // a leader may not have stored what is no longer kept
      }
    }
  }

  private boolean keep(String uuid, Consumer<Heard> change) {
    if (datanodes.size() >= MOST_DATANODES && !datanodes.containsKey(uuid)) {
      return !isTaken;
    }
    Heard heard = datanodes.computeIfAbsent(uuid, key -> new Heard(elapsedMs.getAsLong()));
    synchronized (heard) { // so that it is told, or sees that it comes too late
      if (isTaken) {
        return false;
      }
      change.accept(heard);
      return true;
    }
  }

  /** This NameNode leads no more, or did not come to it: it keeps what is said from now on. */
  public void standBy() {
    long nowMs = elapsedMs.getAsLong();
    for (Heard heard : datanodes.values()) {
      synchronized (heard) {
        if (!heard.stored.isDone() || heard.stored.isCompletedExceptionally()) {
          heard.beginAnew(nowMs);
        }
        heard.stored = NOTHING_TOLD;
      }
    }
    isTaken = false;
  }

  /**
   * Tells what is known, and forgets it, but for whom it has heard: what they say to this process
   * while it leads they say again when it could not store it. Keeps nothing until {@link #standBy}.
   *
   * @return those of which everything is known that the leader before may not have stored
   */
  public Set<String> takeOver(Listener listener) {
    standBy(); // it may have led until now
    isTaken = true;
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
    List<Report> reports;
    long nowMs = elapsedMs.getAsLong();
    synchronized (heard) {
      boolean isNew = !heard.isComplete || nowMs - heard.registeredMs <= REPORTS_KEPT_MS;
      registration = isNew ? heard.registration : null;
      heartbeat = heard.heartbeat;
      forgetOldReports(heard, nowMs);
      reports = List.copyOf(heard.reports);
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
    List<CompletableFuture<?>> stored = new ArrayList<>();
    for (Report report : reports) {
      bytes.addAndGet(-report.request().length);
      stored.add(listener.report(decode(report.request())));
    }
    synchronized (heard) {
      heard.stored = CompletableFuture.allOf(stored.toArray(CompletableFuture[]::new));
    }
  }

  private static BlockReceivedAndDeletedRequestProto decode(byte[] report) {
    try {
      return BlockReceivedAndDeletedRequestProto.parseFrom(report);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("Encoded by this process", e);
    }
  }

  public boolean isEmpty() {
    return datanodes.isEmpty();
  }
}
