package io.acaciafs.rpc.protocol;

import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/**
 * Gets each call of a method that has ended, whether its reply was made for it or is a cached one.
 * Called on the thread that ends the call, often a network thread: it must be quick, and never wait
 * or throw. Calls that the server refused before their method ran are not passed on.
 */
@FunctionalInterface
public interface CallListener {
  /**
   * @param reply null if the call failed, or if its reply came from the cache
   * @param failure null if the call succeeded
   */
  void ended(EndedCall call, @Nullable Message reply, @Nullable Throwable failure);

  /** The same listener, which does not get the calls that have this object attached. */
  default CallListener exceptAttached(Object attachment) {
    return (call, reply, failure) -> {
      if (call.attachment() != attachment) {
        ended(call, reply, failure);
      }
    };
  }

  /** Provides the listeners of methods. */
  @FunctionalInterface
  interface Provider {
    /** No method has a listener. */
    Provider NONE = (protocol, method) -> null;

    /**
     * Called once for each method, when the server is made.
     *
     * @return null: the method has no listener
     */
    @Nullable CallListener of(String protocol, String method);
  }
}
