package io.acaciafs.rpc;

import java.io.IOException;
import org.apache.hadoop.thirdparty.protobuf.Message;

/** A call that was run. May be kept and read by any thread; it keeps its request's bytes. */
public interface EndedCall extends RpcCall {
  /**
   * What was asked, parsed anew at each call of this.
   *
   * @throws IOException if it cannot be understood
   */
  Message request() throws IOException;

  /** How many bytes of its request it keeps, headers included. */
  int requestBytes();

  /** What the method {@linkplain RpcCall#remark said} last, or null. */
  Object remark();

  /** Whether it came from inside this process, and not by Hadoop RPC. */
  boolean isLocal();
}
