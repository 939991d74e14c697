package io.acaciafs.kv.raft;

import java.io.IOException;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.DataQueue;
import org.jspecify.annotations.Nullable;

/**
 * Ends members without waiting for Ratis's thread that writes the log: it waits up to a second for
 * work before it looks whether it is to end. Many tests end many members. Stateless.
 */
final class QuickEnd {
  private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(2);

  private QuickEnd() {}

  /**
   * Runs the end of a member.
   *
   * @param end returns when it has ended
   */
  static void run(RaftMember member, Runnable end) {
    Object worker = logWorker(member);
    if (worker == null) {
      end.run();
      return;
    }
    Thread waker = new Thread(() -> wake(worker), "waker");
    waker.setDaemon(true);
    waker.start();
    try {
      end.run();
    } finally {
      waker.interrupt();
    }
  }

  private static void wake(Object worker) {
    try {
      DataQueue<?> queue = (DataQueue<?>) field(worker, "queue");
      while ((boolean) field(worker, "running") || !queue.isEmpty() || !isIdle(worker.toString())) {
        if (Thread.interrupted()) {
          return;
        }
        LockSupport.parkNanos(LOOK_NS);
      }
      ((ExecutorService) field(worker, "workerThreadExecutor")).shutdownNow();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("Ratis is another one", e);
    }
  }

  /** Null where it has none any more: Ratis has ended by itself. */
  private static @Nullable Object logWorker(RaftMember member) {
    try {
      RaftServer server = (RaftServer) field(field(member, "ratis"), "server");
      for (RaftGroupId group : server.getGroupIds()) {
        return field(server.getDivision(group).getRaftLog(), "fileLogWorker");
      }
      return null;
    } catch (IOException | IllegalStateException e) {
      return null;
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("Ratis is another one", e);
    }
  }

  /** Whether it waits for work: an interrupt would end its file, if it wrote. */
  private static boolean isIdle(String thread) {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> each.getKey().getName().startsWith(thread))
        .allMatch(
            each ->
                Arrays.stream(each.getValue())
                    .anyMatch(frame -> frame.getClassName().endsWith("DataBlockingQueue")));
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    for (Class<?> type = of.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          field.setAccessible(true);
          return field.get(of);
        }
      }
    }
    throw new NoSuchFieldException(name);
  }
}
