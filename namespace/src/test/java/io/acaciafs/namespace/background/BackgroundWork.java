package io.acaciafs.namespace.background;

import static io.acaciafs.namespace.NamespaceFixture.SUPERUSER;

import io.acaciafs.namespace.Namespace;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

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
    try {
      return Sweeper.sweepOnce(namespace, SUPERUSER);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new AssertionError(e);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  public static void checkLeases(Namespace namespace) {
    try {
      LeaseMonitor.checkAll(namespace, SUPERUSER);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new AssertionError(e);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }
}
