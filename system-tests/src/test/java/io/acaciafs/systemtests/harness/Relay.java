package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Passes the connections to an address on to another one. {@link #close} ends them. */
final class Relay implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;

  private final ServerSocket server;
  private final InetSocketAddress target;
  private final MemberLinks.Gate there;
  private final MemberLinks.Gate back;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads;

  /**
   * Begins.
   *
   * @param there passes what is sent to the target
   * @param back passes what the target sends
   */
  Relay(
      InetSocketAddress address,
      InetSocketAddress target,
      MemberLinks.Gate there,
      MemberLinks.Gate back)
      throws IOException {
    this.server = new ServerSocket(address.getPort(), 0, address.getAddress());
    this.target = target;
    this.there = there;
    this.back = back;
    this.threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "relay-" + address);
              thread.setDaemon(true);
              return thread;
            });
    threads.execute(this::accept);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket from = server.accept();
        open.add(from);
        threads.execute(() -> connect(from));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  /** A connection is made by messages in both directions. */
  private void connect(Socket from) {
    Socket to = new Socket();
    open.add(to);
    try {
      there.pass();
      back.pass();
      from.setTcpNoDelay(true);
      to.setTcpNoDelay(true);
      to.connect(target);
      threads.execute(() -> pump(to, from, back));
      pump(from, to, there);
    } catch (IOException e) {
      end(from, to); // nobody listens: the one that connects finds its connection closed
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void pump(Socket from, Socket to, MemberLinks.Gate gate) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        gate.pass();
        out.write(buffer, 0, length);
      }
      gate.pass(); // so does the news of the end
    } catch (IOException e) {
      // one of them ended
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end(from, to);
    }
  }

  private void end(Socket... sockets) {
    for (Socket socket : sockets) {
      open.remove(socket);
      closeQuietly(socket);
    }
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      // it is closed or broken already
    }
  }

  @Override
  public void close() {
    closeQuietly(server);
    threads.shutdownNow();
    open.forEach(Relay::closeQuietly);
    open.clear();
  }
}
