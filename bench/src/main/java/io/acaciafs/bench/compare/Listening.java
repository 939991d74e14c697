package io.acaciafs.bench.compare;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Where programs listen. Stateless. */
public final class Listening {
  private static final Duration LIMIT = Duration.ofMinutes(15);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final int FIRST_PORT = 20_000;
  private static final int PORT_LIMIT = 32_000;
  private static final int ATTEMPTS = 100;

  private Listening() {}

  /**
   * A port of the loopback interface that was free a moment ago, below those that the system itself
   * hands out: nobody else gets one of these by chance.
   */
  static InetSocketAddress freeAddress() throws IOException {
    BindException last = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, PORT_LIMIT);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return (InetSocketAddress) socket.getLocalSocketAddress();
      } catch (BindException e) {
        last = e;
      }
    }
    throw last;
  }

  /** Returns when the program listens there. */
  public static void await(InetSocketAddress address, JavaProgram program) throws IOException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!isOpen(address)) {
      program.requireAlive();
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("A server did not start within " + LIMIT.toSeconds() + " s");
      }
      LockSupport.parkNanos(LOOK_NANOS);
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while a server started");
      }
    }
  }

  private static boolean isOpen(InetSocketAddress address) {
    try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
