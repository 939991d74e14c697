package io.acaciafs.bench.compare;

import io.acaciafs.kv.hbase.local.FreePorts;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Where programs listen. Stateless. */
public final class Listening {
  private static final Duration LIMIT = Duration.ofMinutes(15);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private Listening() {}

  /** Of the loopback interface, where nobody listens. */
  public static InetSocketAddress freeAddress() throws IOException {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.next());
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
