package io.acaciafs.kv.hbase.local;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Ports of the loopback interface that nobody listens on at the moment, below those that the system
 * itself hands out: nobody else gets one of these by chance, also while its server starts anew. Two
 * processes that run at the same time get different ones: a process holds a lock on a byte of a
 * common file for each of its last {@value #MOST_HELD}. Safe for use by many threads.
 */
public final class FreePorts {
  static final int MOST_HELD = 2_000;

  private static final int FIRST = 20_000;
  private static final int LIMIT = 32_000;
  private static final int ATTEMPTS = 1_000;

  /** The oldest first. */
  private static final Deque<FileLock> HELD = new ArrayDeque<>();

  private static @Nullable FileChannel locks;

  private FreePorts() {}

  /** One of them. */
  public static int next() throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LIMIT);
      if (hold(port) && isFree(port)) {
        return port;
      }
    }
    throw new BindException("No port from " + FIRST + " to " + LIMIT + " is free");
  }

  private static boolean isFree(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (BindException e) {
      return false;
    }
  }

  private static synchronized boolean hold(int port) throws IOException {
    FileLock lock;
    try {
      lock = locks().tryLock(port, 1, false);
    } catch (OverlappingFileLockException e) { // this process holds it
      return false;
    }
    if (lock == null) {
      return false;
    }
    HELD.add(lock);
    if (HELD.size() > MOST_HELD) {
      HELD.removeFirst().release();
    }
    return true;
  }

  private static synchronized FileChannel locks() throws IOException {
    FileChannel opened = locks;
    if (opened == null) {
      String name = "acacia-free-ports-" + System.getProperty("user.name");
      opened =
          FileChannel.open(
              Path.of(System.getProperty("java.io.tmpdir"), name),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE);
      locks = opened;
    }
    return opened;
  }
}
