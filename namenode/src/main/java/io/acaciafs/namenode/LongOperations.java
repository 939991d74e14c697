package io.acaciafs.namenode;

import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.process.Threads;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.summary.SubtreeCounter;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.conf.Configuration;

/** Threads for what may walk a whole subtree. Stateless. */
final class LongOperations {
  private static final String THREADS = "acacia.long.operation.threads";
  private static final int THREADS_DEFAULT = 4;
  private static final String SUMMARY_THREADS = "acacia.content.summary.threads";
  private static final String QUEUE = "acacia.long.operation.queue";
  private static final int QUEUE_DEFAULT = 256;

  private LongOperations() {}

  /** Threads for what may walk a whole subtree. */
  static ThreadPoolExecutor pool(Configuration conf) {
    return Threads.pool(
        "long-operation", conf.getInt(THREADS, THREADS_DEFAULT), conf.getInt(QUEUE, QUEUE_DEFAULT));
  }

  /** Threads that count what is below directories, as many as may be of use. */
  static SubtreeCounter subtreeCounter(
      Configuration conf, Namespace namespace, ResourceStack resources) {
    int threads = conf.getInt(SUMMARY_THREADS, Runtime.getRuntime().availableProcessors());
    int walks = conf.getInt(QUEUE, QUEUE_DEFAULT);
    return namespace.subtreeCounter(
        Threads.owned(
            resources,
            Threads.pool("content-summary", threads, SubtreeCounter.tasks(threads, walks))),
        threads,
        walks);
  }
}
