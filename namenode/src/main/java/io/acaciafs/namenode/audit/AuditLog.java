package io.acaciafs.namenode.audit;

import io.acaciafs.namenode.settings.NameNodeConfigKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log. The thread of a call leaves an event in a bounded queue and goes on; one thread,
 * {@code audit-log}, makes text of it and gives it to the logger {@value #LOGGER} at INFO. When the
 * queue is full, or large requests take too much memory in it, the log drops and counts events, and
 * logs the count. So a slow disk delays no call.
 *
 * <p>It is on when the logger is, which is asked at each event, so it can be switched at run time.
 * Safe for use by many threads.
 */
public final class AuditLog implements AutoCloseable {
  /** As in HDFS, so that existing configurations of the logging work. */
  public static final String LOGGER = "org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit";

  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

  /** Events that keep less are bounded by their number. */
  private static final int LARGE_BYTES = 1024;

  /** For all that keep more. */
  static final long MOST_LARGE_BYTES = 32 << 20;

  private static final int BATCH = 1024;
  private static final long POLL_MS = 500;
  private static final long END_MS = 10_000;

  /** Wakes the writer. */
  private static final AuditEvent NOTHING = List::of;

  private final Logger audit;
  private volatile AuditFormat format;
  private final ArrayBlockingQueue<AuditEvent> queue;
  private final AtomicLong largeBytes = new AtomicLong();
  private final LongAdder dropped = new LongAdder();
  private final Thread writer;
  private volatile boolean closed;

  private AuditLog(Logger audit, AuditFormat format, int queueLimit) {
    this.audit = audit;
    this.format = format;
    this.queue = new ArrayBlockingQueue<>(queueLimit);
    this.writer = new Thread(this::write, "audit-log");
    writer.setDaemon(true);
  }

  /** Starts its thread. */
  public static AuditLog start(Configuration conf) {
    return start(LoggerFactory.getLogger(LOGGER), conf);
  }

  static AuditLog start(Logger audit, Configuration conf) {
    AuditLog log =
        new AuditLog(
            audit, AuditFormat.of(conf), NameNodeConfigKeys.AUDIT_QUEUE.in(conf::getTrimmed));
    log.writer.start();
    return log;
  }

  /** Lines that are written from now on are as these settings say. */
  public void configure(Configuration conf) {
    format = AuditFormat.of(conf);
  }

  /** Whether anything is written. */
  public boolean isOn() {
    return audit.isInfoEnabled();
  }

  /** Leaves something to be written. Never waits. */
  public void add(AuditEvent event) {
    if (!queue.offer(event)) {
      dropped.increment();
    }
  }

  /**
   * The same.
   *
   * @param keptBytes what it keeps of a request
   */
  void add(AuditEvent event, int keptBytes) {
    if (keptBytes <= LARGE_BYTES) {
      add(event);
      return;
    }
    boolean hasRoom = largeBytes.addAndGet(keptBytes) <= MOST_LARGE_BYTES;
    if (!hasRoom || !queue.offer(new Large(event, keptBytes))) {
      largeBytes.addAndGet(-keptBytes);
      dropped.increment();
    }
  }

  /** An event with its counted bytes. */
  private record Large(AuditEvent event, int keptBytes) implements AuditEvent {
    @Override
    public List<AuditLine> lines() {
      return event.lines();
    }
  }

  /** Events since the start that found the queue full. */
  public long dropped() {
    return dropped.sum();
  }

  private void write() {
    List<AuditEvent> batch = new ArrayList<>(BATCH);
    long reported = 0;
    try {
      while (!closed || !queue.isEmpty()) {
        AuditEvent first = queue.poll(POLL_MS, TimeUnit.MILLISECONDS);
        if (first != null) {
          batch.add(first);
          queue.drainTo(batch, BATCH - 1);
          for (AuditEvent event : batch) {
            write(event);
            if (event instanceof Large large) {
              largeBytes.addAndGet(-large.keptBytes());
            }
          }
          batch.clear();
        }
        long now = dropped.sum();
        if (now > reported) {
          LOG.warn("Audit events dropped: count={} sinceStart={}", now - reported, now);
          reported = now;
        }
      }
    } catch (InterruptedException e) {
      LOG.warn("Audit log ended early: unwritten={}", queue.size());
    }
  }

  private void write(AuditEvent event) {
    try {
      for (AuditLine line : event.lines()) {
        if (audit.isDebugEnabled() || !format.debugCommands().contains(line.access().command())) {
          audit.info(format.text(line));
        }
      }
    } catch (RuntimeException e) { // the others want to be written
      LOG.warn("Audit event not written: event={}", event, e);
    }
  }

  /** Writes what is there and ends the thread. */
  @Override
  public void close() {
    closed = true;
    queue.offer(NOTHING); // else it notices up to half a second later, while another leader waits
    try {
      writer.join(END_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    writer.interrupt();
  }
}
