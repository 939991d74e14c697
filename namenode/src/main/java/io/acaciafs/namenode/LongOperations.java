package io.acaciafs.namenode;

import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.process.Threads;
import io.acaciafs.namenode.settings.NameNodeConfigKeys;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.settings.NamespaceConfigKeys;
import io.acaciafs.namespace.summary.SubtreeCounter;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.conf.Configuration;

/** Threads for what may walk a whole subtree. Stateless. */
final class LongOperations {
  private LongOperations() {}

  /** Threads for what may walk a whole subtree. */
  static ThreadPoolExecutor pool(Configuration conf) {
    return Threads.pool(
        "long-operation",
        NameNodeConfigKeys.LONG_OPERATION_THREADS.in(conf::getTrimmed),
        NameNodeConfigKeys.LONG_OPERATION_QUEUE.in(conf::getTrimmed));
  }

  /** Threads that count what is below directories, as many as may be of use. */
  static SubtreeCounter subtreeCounter(
      Configuration conf, Namespace namespace, ResourceStack resources) {
    int threads = NamespaceConfigKeys.SUMMARY_THREADS.in(conf::getTrimmed);
    int walks = NameNodeConfigKeys.LONG_OPERATION_QUEUE.in(conf::getTrimmed);
    return namespace.subtreeCounter(
        Threads.owned(
            resources,
            Threads.pool("content-summary", threads, SubtreeCounter.tasks(threads, walks))),
        threads,
        walks);
  }
}
