package io.acaciafs.namenode.monitor.console;

import io.acaciafs.namenode.monitor.EachInterval;
import io.acaciafs.namenode.process.RunningWork;
import io.acaciafs.web.JsonPart.Answer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What the NameNode does beside calls: how much is left of jobs, how fast it becomes less, and what
 * is under way. Made once in some seconds. Safe for use by many threads.
 */
public final class WorkPage {
  private static final double HUNDREDTHS = 100;

  private final Map<String, LongSupplier> jobs;
  private final WorkRates rates;
  private final RunningWork running;
  private final Clock clock;
  private final EachInterval<Answer> answer = EachInterval.forPages(this::make);

  /**
   * @param jobs what is left of each, by name for people; negative: not known
   */
  public WorkPage(
      Map<String, LongSupplier> jobs, WorkRates rates, RunningWork running, Clock clock) {
    this.jobs = new LinkedHashMap<>(jobs);
    this.rates = rates;
    this.running = running;
    this.clock = clock;
  }

  /** To be called also if nobody asks, so that rates are known. */
  public Answer read() {
    return answer.get();
  }

  private Answer make() {
    List<Map<String, Object>> shown = new ArrayList<>();
    jobs.forEach((name, left) -> shown.add(job(name, left.getAsLong())));
    List<Map<String, Object>> underWay = new ArrayList<>();
    for (RunningWork.Run run : running.now()) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("name", run.name());
      each.put("detail", run.detail());
      each.put("sinceMs", run.sinceMs());
      RunningWork.Progress progress = run.progress();
      if (progress != null) {
        each.putAll(shown(progress, clock.millis() - run.sinceMs()));
      }
      underWay.add(each);
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("nowMs", clock.millis());
    body.put("jobs", shown);
    body.put("running", underWay);
    return Answer.ok(body);
  }

  /** What is not known is left out. An estimate of the whole may be too low. */
  private static Map<String, Object> shown(RunningWork.Progress progress, long forMs) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("step", progress.step());
    long done = progress.done();
    if (done >= 0) {
      shown.put("done", done);
      shown.put("unit", progress.unit());
      if (progress.total() >= 0) {
        long total = Math.max(done, progress.total());
        shown.put("total", total);
        if (done > 0) {
          shown.put("leftMs", Math.round((double) forMs * (total - done) / done));
        }
      }
    }
    return shown;
  }

  private Map<String, Object> job(String name, long left) {
    Map<String, Object> job = new LinkedHashMap<>();
    job.put("name", name);
    if (left >= 0) {
      WorkRates.Progress progress = rates.progress(name, left);
      job.put("left", left);
      job.put("done", progress.done());
      job.put("forMs", progress.forMs());
      job.put("perSecond", Math.round(HUNDREDTHS * progress.perSecond()) / HUNDREDTHS);
      if (progress.leftMs() >= 0) {
        job.put("leftMs", progress.leftMs());
      }
    }
    return job;
  }
}
