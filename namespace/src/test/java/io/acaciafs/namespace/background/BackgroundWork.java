package io.acaciafs.namespace.background;

import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;

import io.acaciafs.kv.run.RepeatedFailures;
import io.acaciafs.namespace.Namespace;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.slf4j.LoggerFactory;

/** Background work, done at once on the thread of a test. */
public final class BackgroundWork {
  private BackgroundWork() {}

  /** Sweeps until nothing is left. */
  public static void sweep(Namespace namespace) {
    boolean more = true;
    while (more) {
      more = sweepOnce(namespace);
    }
  }

  /**
   * @return whether there was anything
   */
  public static boolean sweepOnce(Namespace namespace) {
    return now(() -> Sweeper.sweepOnce(namespace, SUPERUSER, Sweeper.Position.START) != null);
  }

  /** Divides buckets until none is too large. */
  public static void split(Namespace namespace) {
    boolean more = true;
    while (more) {
      more = splitOnce(namespace);
    }
  }

  /**
   * One transaction of it.
   *
   * @return whether there was anything
   */
  public static boolean splitOnce(Namespace namespace) {
    return now(() -> Splitter.splitOnce(namespace, SUPERUSER));
  }

  public static void checkLeases(Namespace namespace) {
    now(
        () -> {
          LeaseMonitor.checkAll(
              namespace,
              SUPERUSER,
              () -> false,
              new RepeatedFailures(LoggerFactory.getLogger(BackgroundWork.class)));
          return null;
        });
  }

  public static void expireRetries(Namespace namespace) {
    now(() -> RetryExpiry.expireAll(namespace, SUPERUSER, RetryExpiry.Position.BEGIN));
  }

  private static <T> T now(Callable<T> work) {
    try {
      return work.call();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new AssertionError(e);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
