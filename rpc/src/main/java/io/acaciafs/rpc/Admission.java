package io.acaciafs.rpc;

import org.apache.hadoop.thirdparty.protobuf.Message;

/** Stands before some methods of a protocol. Safe for use by many threads. */
public interface Admission {
  /** Whether calls of this method must be admitted. Asked once, when the protocol is built. */
  boolean concerns(String method);

  /**
   * A call is about to run, on the thread that runs it, where it must not wait.
   *
   * @throws Exception what the client shall see; then {@link #done} is not called
   */
  void admit(RpcCall call, Message request) throws Exception;

  /** A call that was admitted has its answer or has failed; on any thread. */
  void done(RpcCall call);
}
