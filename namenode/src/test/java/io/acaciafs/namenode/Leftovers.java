package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;

/** The threads and connections that clients leave behind in a NameNode of this JVM. */
final class Leftovers {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final long LIMIT_NS = LIMIT.toNanos();

  /** States of TCP in Linux: nobody holds the connection any more. */
  private static final Set<String> OVER = Set.of("06", "07"); // TIME_WAIT, CLOSE

  /** Their threads begin when there is work, whatever clients do, and are limited. */
  private static final Set<String> POOLS =
      Set.of(
          "web-", "rpc-worker-", "block-timer-", "grpc-default-executor-", "nn1-", "nn2-", "nn3-");

  private static final String LISTENS = "0A";

  /** How often {@link #repeat} does what it is told. */
  static final int ROUNDS = 6;

  /** Of a client. */
  interface Attempt {
    void run() throws Exception;
  }

  private final NameNode nameNode;
  private final Set<Thread> threads;

  private Leftovers(NameNode nameNode) throws Exception {
    this.nameNode = nameNode;
    awaitWebServer();
    awaitNoConnections();
    threads = threads();
  }

  /** As it is now that no client is connected, which this waits for. */
  static Leftovers since(NameNode nameNode) throws Exception {
    return new Leftovers(nameNode);
  }

  /** Nothing is left of an attempt, beyond whatever the first one makes. */
  static void repeat(NameNode nameNode, Attempt attempt) throws Exception {
    attempt.run();
    Leftovers leftovers = since(nameNode);
    for (int i = 1; i < ROUNDS; i++) {
      attempt.run();
    }
    leftovers.assertNone();
  }

  /**
   * No client is connected any more, and no thread is new, whatever its name: a thread that is only
   * about to end has time to.
   */
  void assertNone() throws Exception {
    assertNone(LIMIT);
  }

  /**
   * @param limit how long threads have to end
   */
  void assertNone(Duration limit) throws Exception {
    awaitNoConnections();
    long endNs = System.nanoTime() + limit.toNanos();
    Set<Thread> since = threads();
    while (!threads.containsAll(since)) {
      since.removeAll(threads);
      assertThat(System.nanoTime()).as("threads are left: %s", since).isLessThan(endNs);
      TimeUnit.MILLISECONDS.sleep(20);
      since = threads();
    }
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> isOfNameNode(thread.getName()))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static boolean isOfNameNode(String name) {
    boolean isOfClient =
        name.startsWith("IPC ")
            || name.startsWith("HttpClient-")
            || name.equals("Keep-Alive-Timer");
    return !isOfClient && POOLS.stream().noneMatch(name::startsWith);
  }

  /** A NameNode serves before its web server does, whose threads would be new. */
  private static void awaitWebServer() throws Exception {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("web-start")) {
        thread.join(LIMIT.toMillis());
        assertThat(thread.isAlive()).as("the web server starts").isFalse();
      }
    }
  }

  private void awaitNoConnections() throws Exception {
    int rpc = nameNode.rpcAddress().getPort();
    long endNs = System.nanoTime() + LIMIT_NS;
    while (connections(rpc) != 0 || sockets(nameNode.httpAddress().getPort(), "") != 0) {
      assertThat(System.nanoTime()).as("connections are left").isLessThan(endNs);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** One that stands by has no such bean. */
  private static long connections(int port) throws IOException, JMException {
    ObjectName rpc = new ObjectName("Hadoop:service=NameNode,name=RpcActivityForPort" + port);
    try {
      return ((Number)
              ManagementFactory.getPlatformMBeanServer().getAttribute(rpc, "NumOpenConnections"))
          .longValue();
    } catch (InstanceNotFoundException e) {
      return sockets(port, "");
    }
  }

  /** Waits until a server holds the connection no more that a client had. */
  static void awaitClosed(int port, int portOfClient) throws Exception {
    long endNs = System.nanoTime() + LIMIT_NS;
    while (sockets(port, String.format(Locale.ROOT, ":%04X", portOfClient)) != 0) {
      assertThat(System.nanoTime()).as("the connection is left").isLessThan(endNs);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /**
   * The server's ends of connections; none where the system does not tell.
   *
   * @param otherEnd what the client's end is; empty: any
   */
  private static long sockets(int port, String otherEnd) throws IOException {
    String end = String.format(Locale.ROOT, ":%04X", port);
    long count = 0;
    for (String table : new String[] {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
      if (Files.isReadable(Path.of(table))) {
        try (Stream<String> lines = Files.lines(Path.of(table))) {
          count +=
              lines
                  .map(line -> line.strip().split(" +"))
                  .filter(fields -> fields.length > 3 && fields[1].endsWith(end))
                  .filter(fields -> fields[2].endsWith(otherEnd))
                  .filter(fields -> !OVER.contains(fields[3]) && !fields[3].equals(LISTENS))
                  .count();
        }
      }
    }
    return count;
  }
}
