package io.acaciafs.namenode;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What was opened, to be closed in reverse order. One that fails to close is logged. */
final class Resources implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Resources.class);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T resource) {
    opened.push(resource);
    return resource;
  }

  <T extends ExecutorService> T add(T executor) {
    opened.push(() -> Threads.shutDown(executor));
    return executor;
  }

  @Override
  public void close() {
    while (!opened.isEmpty()) {
      AutoCloseable resource = opened.pop();
      try {
        resource.close();
      } catch (Exception e) {
        LOG.warn("Could not close resource={}", resource, e);
      }
    }
  }
}
