package io.acaciafs.bench.client;

import io.netty.buffer.ByteBuf;

/** The calls that one slot makes, one after the other. Used by one network thread. */
public interface CallSource {

  /** Writes the next call into the slot, if there is one. */
  Step next(Slot slot);

  /**
   * Told of the reply to the last call, which was a success.
   *
   * @param in at the beginning of the message; not to be kept
   * @return whether that ends an operation; else it goes on with another call
   */
  default boolean answered(Slot slot, ByteBuf in, int lengthBytes) {
    return true;
  }

  /** Told that the last call failed: the next one begins another operation. */
  default void failed() {}
}
