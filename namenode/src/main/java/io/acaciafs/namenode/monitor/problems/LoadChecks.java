package io.acaciafs.namenode.monitor.problems;

import java.util.Map;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Whether more comes in than this NameNode can do. Compares with the looks before. */
public final class LoadChecks implements ProblemCheck {
  private static final double NEARLY_FULL = 0.8;

  private final Growth rejected;
  private final Growth auditDropped;
  private final Map<String, ThreadPoolExecutor> queues;

  /**
   * @param rejected calls, since the start
   * @param auditDropped events, since the start
   * @param queues pools of threads by name
   * @param elapsedMs does not go back
   */
  public LoadChecks(
      LongSupplier rejected,
      LongSupplier auditDropped,
      Map<String, ThreadPoolExecutor> queues,
      LongSupplier elapsedMs) {
    this.rejected = new Growth(rejected, elapsedMs);
    this.auditDropped = new Growth(auditDropped, elapsedMs);
    this.queues = Map.copyOf(queues);
  }

  @Override
  public void look(Consumer<Problem> found) {
    long calls = rejected.look();
    if (calls > 0) {
      found.accept(
          new Problem(ProblemKind.CALLS_REFUSED, calls + " calls were told to come back later"));
    }
    long events = auditDropped.look();
    if (events > 0) {
      found.accept(new Problem(ProblemKind.AUDIT_DROPPED, events + " events found its queue full"));
    }
    queues.forEach((name, pool) -> look(name, pool, found));
  }

  private static void look(String name, ThreadPoolExecutor pool, Consumer<Problem> found) {
    int waiting = pool.getQueue().size();
    int limit = waiting + pool.getQueue().remainingCapacity();
    if (waiting > NEARLY_FULL * limit) {
      found.accept(
          new Problem(
              ProblemKind.QUEUE_NEARLY_FULL,
              name,
              waiting + " of at most " + limit + " tasks wait for the threads " + name));
    }
  }
}
