package io.acaciafs.kv.rocksdb;

import java.util.ArrayDeque;
import java.util.Deque;
import org.rocksdb.AbstractNativeReference;

/** Native objects of one owner, closed in the reverse order. Used by one thread at a time. */
final class NativeObjects implements AutoCloseable {
  private final Deque<AbstractNativeReference> objects = new ArrayDeque<>();

  <T extends AbstractNativeReference> T add(T object) {
    objects.push(object);
    return object;
  }

  @Override
  public void close() {
    while (!objects.isEmpty()) {
      objects.pop().close();
    }
  }
}
