package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Stands between a client and a server on 127.0.0.1 and can lose a reply: the request has arrived
 * and was answered, but the client only sees its connection end.
 */
public final class ReplyCutter implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 * 1024;

  /** What happens after the reply was lost and before the client can come back. */
  @FunctionalInterface
  public interface Meanwhile {
    void run() throws Exception;
  }

  private final int target;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Meanwhile> armed = new AtomicReference<>();
  private final AtomicReference<Wanted> wanted = new AtomicReference<>();
  private volatile Exception failure;

  public ReplyCutter(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    start("accept", this::accept);
  }

  public int port() {
    return listener.getLocalPort();
  }

  /**
   * Loses the next reply behind the next request for this method.
   *
   * @param method as ClientProtocol calls it
   */
  public void cutReplyTo(String method, Meanwhile meanwhile) {
    wanted.set(new Wanted(method, meanwhile));
  }

  /** Whether the reply was lost by now, and nothing went wrong meanwhile. */
  public boolean hasCut() throws Exception {
    if (failure != null) {
      throw failure;
    }
    return armed.get() == null && wanted.get() == null;
  }

  /** A method whose reply is to be lost. */
  private record Wanted(String method, Meanwhile meanwhile) {
    /** RequestHeaderProto begins with the name, as field 1; a client writes a request at once. */
    private boolean isIn(byte[] buffer, int length) {
      String bytes = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
      return bytes.contains("\n" + (char) method.length() + method);
    }
  }

  private void look(byte[] request, int length) {
    Wanted next = wanted.get();
    if (next != null && next.isIn(request, length)) {
      armed.set(next.meanwhile);
      wanted.set(null);
    }
  }

  private void accept() throws IOException {
    while (!listener.isClosed()) {
      Socket client = listener.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      sockets.add(client);
      sockets.add(server);
      start("requests", () -> pump(client, server, false));
      start("replies", () -> pump(server, client, true));
    }
  }

  private void pump(Socket from, Socket to, boolean replies) throws IOException {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        Meanwhile meanwhile = replies ? armed.get() : null;
        if (meanwhile != null) {
          run(meanwhile);
          armed.set(null);
          return;
        }
        if (!replies) {
          look(buffer, length);
        }
        out.write(buffer, 0, length);
      }
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private void run(Meanwhile meanwhile) {
    try {
      meanwhile.run();
    } catch (Exception e) {
      failure = e;
    }
  }

  private interface Io {
    void run() throws IOException;
  }

  private static void start(String name, Io io) {
    Thread thread =
        new Thread(
            () -> {
              try {
                io.run();
              } catch (IOException e) {
                // the connection has ended, which both sides see
              }
            },
            "reply-cutter-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
