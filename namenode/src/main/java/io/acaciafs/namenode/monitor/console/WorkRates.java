package io.acaciafs.namenode.monitor.console;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How fast jobs become less, by what was left of them in the last five minutes. Safe for use by
 * many threads.
 */
public final class WorkRates {
  private static final long WINDOW_MS = TimeUnit.MINUTES.toMillis(5);
  private static final long STEP_MS = 5_000;
  private static final double MS_PER_SECOND = 1_000;

  private final LongSupplier elapsedMs;
  private final Map<String, Job> jobs = new HashMap<>();

  private record Sample(long atMs, long left) {}

  private static final class Job {
    private final Deque<Sample> samples = new ArrayDeque<>();
    private long most;
    private long sinceMs;
  }

  /**
   * How far a job is.
   *
   * @param done of what there was since it last was empty, as far as is known
   * @param forMs for how long there has been anything to do
   * @param perSecond how much becomes less, all in all; not positive: nothing
   * @param leftMs until nothing is left at that rate; negative: not known
   */
  public record Progress(long left, long done, long forMs, double perSecond, long leftMs) {}

  /**
   * @param elapsedMs does not go back
   */
  public WorkRates(LongSupplier elapsedMs) {
    this.elapsedMs = elapsedMs;
  }

  /**
   * To be called several times a minute.
   *
   * @param name of a job, one of few
   */
  synchronized Progress progress(String name, long left) {
    long nowMs = elapsedMs.getAsLong();
    Job job = jobs.computeIfAbsent(name, any -> new Job());
    if (left == 0) {
      job.samples.clear();
      job.most = 0;
      return new Progress(0, 0, 0, 0, 0);
    }
    if (job.samples.isEmpty()) {
      job.sinceMs = nowMs;
    }
    job.most = Math.max(job.most, left);
    if (job.samples.isEmpty() || nowMs - job.samples.getLast().atMs >= STEP_MS) {
      job.samples.add(new Sample(nowMs, left));
    }
    while (job.samples.size() > 1 && nowMs - job.samples.getFirst().atMs > WINDOW_MS) {
      job.samples.removeFirst();
    }
    Sample first = job.samples.getFirst();
    long spanMs = nowMs - first.atMs;
    double perSecond = spanMs == 0 ? 0 : (first.left - left) * MS_PER_SECOND / spanMs;
    long leftMs = perSecond > 0 ? Math.round(left * MS_PER_SECOND / perSecond) : -1;
    return new Progress(left, job.most - left, nowMs - job.sinceMs, perSecond, leftMs);
  }
}
