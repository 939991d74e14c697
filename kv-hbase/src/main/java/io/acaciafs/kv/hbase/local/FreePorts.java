package io.acaciafs.kv.hbase.local;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback interface that nobody listens on at the moment, below those that the system
 * itself hands out: nobody else gets one of these by chance, also while its server starts anew.
 * Safe for use by many threads.
 */
public final class FreePorts {
  private static final int FIRST = 20_000;
  private static final int LIMIT = 32_000;
  private static final int ATTEMPTS = 100;
  private static final int REMEMBERED = 2_000;

  /** Handed out last; their servers may not listen yet, or are about to start anew. */
  private static final Set<Integer> HANDED_OUT = new LinkedHashSet<>();

  private FreePorts() {}

  /** One of them. */
  public static int next() throws IOException {
    BindException last = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = another();
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException e) {
        last = e;
      }
    }
    throw last;
  }

  private static int another() {
    synchronized (HANDED_OUT) {
      int port;
      do {
        port = ThreadLocalRandom.current().nextInt(FIRST, LIMIT);
      } while (!HANDED_OUT.add(port));
      if (HANDED_OUT.size() > REMEMBERED) {
        HANDED_OUT.remove(HANDED_OUT.iterator().next());
      }
      return port;
    }
  }
}
