package io.acaciafs.rpc.protocol;

import org.apache.hadoop.thirdparty.protobuf.Message;

/** Admits or refuses the calls of some methods of a protocol. Safe for use by many threads. */
public interface Admission {
  /** Whether calls of this method must be admitted. Asked once, when the protocol is built. */
  boolean appliesTo(String method);

  /**
   * A call is about to run, on the thread that runs it, where it must not wait.
   *
   * @throws Exception the failure that the client gets; then {@link #done} is not called
   */
  void admit(RpcCall call, Message request) throws Exception;

  /** An admitted call has ended. Any thread. */
  void done(RpcCall call);
}
