package io.acaciafs.namenode;

import io.acaciafs.kv.run.RepeatedFailures;
import io.acaciafs.namenode.monitor.history.Gauges;
import io.acaciafs.namenode.monitor.history.History;
import io.acaciafs.namenode.monitor.history.HistoryClient;
import io.acaciafs.namenode.monitor.history.HistoryPage;
import io.acaciafs.namenode.monitor.history.Neighbours;
import io.acaciafs.namenode.monitor.history.OtherHistories;
import io.acaciafs.namenode.monitor.history.Sampler;
import io.acaciafs.namenode.monitor.problems.ProblemCheck;
import io.acaciafs.namenode.monitor.problems.ProblemsPage;
import io.acaciafs.namenode.process.ElapsedClock;
import io.acaciafs.namenode.process.Threads;
import io.acaciafs.namenode.settings.CalledNameNodes;
import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.web.JsonPart;
import io.acaciafs.web.JsonPart.Answer;
import io.acaciafs.web.WebPart;
import io.acaciafs.web.WebSite;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the pages show of each NameNode, whether it leads or stands by: history and problems. Looks
 * every ten seconds, on a thread of its own, also if nobody asks.
 */
final class Console implements WebPart, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Console.class);
  private static final String NOT_LOOKED = "Figures of the history could not be read";
  private static final int QUESTION_THREADS = 4;

  private final RepeatedFailures failures = new RepeatedFailures(LOG);
  private final ScheduledExecutorService timer = Threads.scheduler("console", 1);
  private final ExecutorService questions =
      Threads.pool("other-histories", QUESTION_THREADS, OtherHistories.MOST);
  private final Supplier<Runnable> newSampler;
  private final HistoryPage history;
  private final ProblemsPage problems;
  private final Runnable others;

  /**
   * This NameNode among others.
   *
   * @param name for people
   */
  record Self(String name, Neighbours neighbours) {}

  /**
   * What is looked at.
   *
   * @param calls that the RPC server has counted
   * @param others what else wants to look as often
   */
  record Sources(
      Supplier<RpcMetrics.Snapshot> calls,
      Gauges gauges,
      List<ProblemCheck> checks,
      Runnable others) {}

  Console(Configuration conf, Lifetime lifetime, Self self, Sources sources) {
    History kept = lifetime.history();
    newSampler = () -> new Sampler(kept, sources.calls(), sources.gauges(), System::nanoTime);
    LongSupplier elapsedMs = new ElapsedClock()::millis;
    HistoryClient client =
        new HistoryClient(
            conf, new CalledNameNodes(conf, Assembly::configuration, elapsedMs)::believing);
    history =
        new HistoryPage(
            self.name(), kept, new OtherHistories(self.neighbours(), client, questions));
    others = sources.others();
    problems = new ProblemsPage(sources.checks(), lifetime.problems(), Clock.systemUTC());
  }

  /** What is wrong, as of some seconds ago at most. */
  Answer problems() {
    return problems.read();
  }

  /** The history of this NameNode's last hour. */
  Map<String, Object> lastHour() {
    return history.lastHour();
  }

  @Override
  public void addTo(WebSite site) {
    new JsonPart("/api/history", history::read).addTo(site);
    new JsonPart("/api/problems", problems::read).addTo(site);
    Runnable sampler = newSampler.get();
    timer.execute(() -> look(() -> {})); // nothing was counted yet
    timer.scheduleAtFixedRate(
        () -> look(sampler), History.INTERVAL_MS, History.INTERVAL_MS, TimeUnit.MILLISECONDS);
  }

  private void look(Runnable sampler) {
    try {
      sampler.run();
      problems.read();
      others.run();
      failures.succeeded(NOT_LOOKED);
    } catch (RuntimeException e) { // one that escaped would end all further looks
      failures.failed(NOT_LOOKED, e);
    }
  }

  @Override
  public void close() {
    Threads.shutDown(timer);
    Threads.shutDown(questions);
  }
}
