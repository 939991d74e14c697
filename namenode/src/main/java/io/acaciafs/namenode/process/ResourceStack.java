package io.acaciafs.namenode.process;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Resources that close together, the last one first. Not thread-safe. */
public final class ResourceStack implements Closeable {
  private final Deque<AutoCloseable> resources = new ArrayDeque<>();

  /** Takes over {@code resource} and returns it. */
  public <T extends AutoCloseable> T add(T resource) {
    resources.push(resource);
    return resource;
  }

  /** Closes all after a failure, which is returned for the caller to throw. */
  public <E extends Exception> E closeAfter(E failure) {
    try {
      close();
    } catch (Exception e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  /** Closes all, also when one fails; the first failure is thrown, the others are suppressed. */
  @Override
  public void close() throws IOException {
    IOException first = null;
    while (!resources.isEmpty()) {
      try {
        resources.pop().close();
      } catch (Exception e) {
        if (first == null) {
          first = e instanceof IOException io ? io : new IOException(e);
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
