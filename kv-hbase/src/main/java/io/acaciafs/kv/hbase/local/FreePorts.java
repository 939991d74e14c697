package io.acaciafs.kv.hbase.local;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback interface that nobody listens on at the moment, below those that the system
 * itself hands out: nobody else gets one of these by chance, also while its server starts anew.
 */
public final class FreePorts {
  private static final int FIRST = 20_000;
  private static final int LIMIT = 32_000;
  private static final int ATTEMPTS = 100;

  private FreePorts() {}

  /** One of them. */
  public static int next() throws IOException {
    BindException last = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LIMIT);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException e) {
        last = e;
      }
    }
    throw last;
  }
}
