package io.acaciafs.rpc.protocol;

import java.io.IOException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.jspecify.annotations.Nullable;

/** A call that has run. May be kept and read by any thread; it holds its request's bytes. */
public interface EndedCall extends RpcCall {
  /**
   * The request, parsed again each time.
   *
   * @throws IOException if it cannot be parsed
   */
  Message request() throws IOException;

  /** The size of the request that this holds, headers included. */
  int requestBytes();

  /** What the method {@linkplain RpcCall#attach attached} last, or null. */
  @Nullable Object attachment();

  /** Whether the call came from inside this process, and not by Hadoop RPC. */
  boolean isLocal();
}
