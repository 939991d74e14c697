package io.acaciafs.rpc.connection;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;

/** Bytes that have come and were not processed yet, oldest first. For the network thread. */
final class UnreadBytes {
  private final Deque<ByteBuf> buffers = new ArrayDeque<>();

  void add(ByteBuf bytes) {
    buffers.add(bytes);
  }

  /** Bytes that come before all others. */
  void addFirst(ByteBuf bytes) {
    buffers.addFirst(bytes);
  }

  boolean isEmpty() {
    return buffers.isEmpty();
  }

  /** The oldest buffer; it stays here. */
  ByteBuf first() {
    return buffers.peek();
  }

  void dropFirst() {
    buffers.remove().release();
  }

  void dropAll() {
    for (ByteBuf bytes = buffers.poll(); bytes != null; bytes = buffers.poll()) {
      bytes.release();
    }
  }
}
