package io.acaciafs.kv.rocksdb.files;

import java.util.ArrayDeque;
import java.util.Deque;
import org.rocksdb.AbstractNativeReference;

/** Native objects of one owner, closed in the reverse order. Used by one thread at a time. */
public final class NativeObjects implements AutoCloseable {
  private final Deque<Runnable> ends = new ArrayDeque<>();

  public <T extends AbstractNativeReference> T add(T object) {
    ends.push(object::close);
    return object;
  }

  /** Something else that ends before what was added before it. */
  public void atEnd(Runnable end) {
    ends.push(end);
  }

  @Override
  public void close() {
    while (!ends.isEmpty()) {
      ends.pop().run();
    }
  }
}
