package io.acaciafs.rpc;

import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Is told of each call of a method that has ended, whether its reply was made for it or is an
 * earlier one. Called on the thread that ends the call, often a network thread: must be quick,
 * never wait and never throw. Calls that never came to their method are not told.
 */
@FunctionalInterface
public interface CallListener {
  /**
   * @param reply null if the call failed, or if it got an earlier call's reply
   * @param failure null if the call was answered
   */
  void ended(EndedCall call, Message reply, Throwable failure);

  /** Who wants to know of which methods. */
  @FunctionalInterface
  interface Chooser {
    /** Nobody wants to know anything. */
    Chooser NONE = (protocol, method) -> null;

    /**
     * Asked once a method, when the server is made.
     *
     * @return null: nobody
     */
    CallListener of(String protocol, String method);
  }
}
