package io.acaciafs.rpc.protocol;

import java.io.IOException;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Checks large requests before their methods run. It can only find faults that need more than
 * {@value #SMALL_BYTES} bytes. Safe for use by many threads.
 */
@FunctionalInterface
public interface RequestCheck {
  /** Smaller requests are not checked, so ordinary calls cost nothing more. */
  int SMALL_BYTES = 4096;

  /** Lets everything pass. */
  RequestCheck NONE = request -> {};

  /**
   * @throws IOException what the client shall see, like every other exception of this
   */
  void check(Message request) throws IOException;
}
