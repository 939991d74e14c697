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
   * @throws IOException the failure that the client gets, as with any other exception
   */
  void check(Message request) throws IOException;
}
