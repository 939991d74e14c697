package io.acaciafs.namenode.process;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Long work that somebody has asked for, while it is under way. Safe for use by many threads. */
public final class RunningWork {
  private final Clock clock;
  private final Collection<Run> runs = new ConcurrentLinkedQueue<>();

  /**
   * One piece of work.
   *
   * @param name what it is, for people
   * @param detail what it is about, for people
   * @param sinceMs milliseconds since 1970
   */
  public record Run(String name, String detail, long sinceMs) {}

  /** Ends the piece of work that it was given for. */
  public interface Handle extends AutoCloseable {
    @Override
    void close();
  }

  public RunningWork(Clock clock) {
    this.clock = clock;
  }

  /** Work begins. The caller bounds how many there are. */
  public Handle begin(String name, String detail) {
    Run run = new Run(name, detail, clock.millis());
    runs.add(run);
    return () -> runs.removeIf(each -> each == run);
  }

  /** The oldest first. */
  public List<Run> now() {
    return List.copyOf(runs);
  }
}
