package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.hbase.client.ThreadPools;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads {@code hbase-reply-N}, which tell callers what became of their commits. They are
 * apart from those of commits, as a caller that is told of a commit may wait for room for the next.
 * Safe for use by many threads.
 */
final class ReplyThreads {
  private static final int THREADS = 16;

  private final ExecutorService threads = ThreadPools.of("hbase-reply", THREADS);

  /** Replies that the current thread collects; null where it does not. */
  private final ThreadLocal<@Nullable List<Waiting>> gathered = new ThreadLocal<>();

  private record Waiting(Runnable reply, Runnable handedOver) {}

  /**
   * Runs a reply on one of the threads, or with others if the current thread gathers replies.
   *
   * @param handedOver run as soon as a thread has the reply to do, and before it needs to be done
   */
  void execute(Runnable reply, Runnable handedOver) {
    List<Waiting> others = gathered.get();
    if (others == null) {
      run(reply);
      handedOver.run();
    } else {
      others.add(new Waiting(reply, handedOver));
    }
  }

  /**
   * Runs a task on the current thread, and all replies that it executes together on one thread
   * afterwards: to wake a thread costs more than a reply does.
   */
  <T> T gather(Supplier<T> task) {
    List<Waiting> replies = new ArrayList<>();
    gathered.set(replies);
    try {
      return task.get();
    } finally {
      gathered.remove();
      if (!replies.isEmpty()) {
        run(() -> replies.forEach(each -> each.reply.run()));
        replies.forEach(each -> each.handedOver.run());
      }
    }
  }

  /** After the end of the threads on this one, so that callers are told. */
  private void run(Runnable reply) {
    try {
      threads.execute(reply);
    } catch (RejectedExecutionException e) {
      reply.run();
    }
  }

  ExecutorService threads() {
    return threads;
  }
}
