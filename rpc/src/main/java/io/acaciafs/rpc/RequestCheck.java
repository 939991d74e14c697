package io.acaciafs.rpc;

import java.io.IOException;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Looks at requests before their methods do, but at large ones alone: what it looks for must need
 * more than {@value #SMALL_BYTES} bytes. Safe for use by many threads.
 */
@FunctionalInterface
public interface RequestCheck {
  /** What is not larger is not looked at, so calls of every day do not pay. */
  int SMALL_BYTES = 4096;

  /** Lets everything pass. */
  RequestCheck NONE = request -> {};

  /**
   * @throws IOException what the client shall see, like every other exception of this
   */
  void check(Message request) throws IOException;
}
