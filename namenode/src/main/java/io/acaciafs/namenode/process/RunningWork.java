package io.acaciafs.namenode.process;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Long work that somebody has asked for, while it is under way. Safe for use by many threads. */
public final class RunningWork {
  private final Clock clock;
  private final Collection<Work> works = new ConcurrentLinkedQueue<>();

  /**
   * One piece of work.
   *
   * @param name what it is, for people
   * @param detail what it is about, for people
   * @param sinceMs milliseconds since 1970
   * @param progress null: it has told none yet
   */
  public record Run(String name, String detail, long sinceMs, @Nullable Progress progress) {}

  /**
   * How far a piece of work is.
   *
   * @param step what it does now, for people
   * @param done in the unit; less than 0: not known
   * @param total of the same when it will have ended, about; less than 0: not known
   * @param unit what is counted, for people
   */
  public record Progress(String step, long done, long total, String unit) {
    /** Of work of which nothing can be counted. */
    public static Progress of(String step) {
      return new Progress(step, -1, -1, "");
    }
  }

  /** The piece of work that it was given for; closing ends it. */
  public interface Handle extends AutoCloseable {
    /** From now on this says how far it is: quick, and called by any thread. */
    void follow(Supplier<Progress> source);

    /** It is so far now. */
    default void report(Progress progress) {
      follow(() -> progress);
    }

    @Override
    void close();
  }

  private final class Work implements Handle {
    private final String name;
    private final String detail;
    private final long sinceMs = clock.millis();
    private volatile @Nullable Supplier<Progress> source;

    private Work(String name, String detail) {
      this.name = name;
      this.detail = detail;
    }

    @Override
    public void follow(Supplier<Progress> newSource) {
      source = newSource;
    }

    private Run run() {
      Supplier<Progress> now = source;
      return new Run(name, detail, sinceMs, now == null ? null : now.get());
    }

    @Override
    public void close() {
      works.remove(this);
    }
  }

  public RunningWork(Clock clock) {
    this.clock = clock;
  }

  /** Work begins. The caller bounds how many there are. */
  public Handle begin(String name, String detail) {
    Work work = new Work(name, detail);
    works.add(work);
    return work;
  }

  /** The oldest first. */
  public List<Run> now() {
    return works.stream().map(Work::run).toList();
  }
}
