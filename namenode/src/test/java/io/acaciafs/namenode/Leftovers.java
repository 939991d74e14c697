package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.ObjectName;

/** The threads and connections that clients leave behind in a NameNode of this JVM. */
final class Leftovers {
  private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

  /** States of TCP in Linux: nobody holds the connection any more. */
  private static final Set<String> OVER = Set.of("06", "07"); // TIME_WAIT, CLOSE

  /** Their threads begin when there is work, whatever clients do, and are limited. */
  private static final Set<String> POOLS = Set.of("web-", "rpc-worker-", "block-timer-");

  private static final String LISTENS = "0A";

  private final NameNode nameNode;
  private final Set<String> threads;

  private Leftovers(NameNode nameNode) throws Exception {
    this.nameNode = nameNode;
    awaitNoConnections();
    threads = threads();
  }

  /** As it is now that no client is connected, which this waits for. */
  static Leftovers since(NameNode nameNode) throws Exception {
    return new Leftovers(nameNode);
  }

  /** No client is connected any more, and no thread is new. */
  void assertNone() throws Exception {
    awaitNoConnections();
    assertThat(threads).containsAll(threads());
  }

  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> !name.startsWith("IPC ")) // the client's
        .filter(name -> !name.startsWith("HttpClient-") && !name.equals("Keep-Alive-Timer"))
        .filter(name -> POOLS.stream().noneMatch(name::startsWith))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void awaitNoConnections() throws Exception {
    ObjectName rpc =
        new ObjectName(
            "Hadoop:service=NameNode,name=RpcActivityForPort" + nameNode.rpcAddress().getPort());
    long endNs = System.nanoTime() + LIMIT_NS;
    while (((Number)
                    ManagementFactory.getPlatformMBeanServer()
                        .getAttribute(rpc, "NumOpenConnections"))
                .intValue()
            != 0
        || sockets(nameNode.httpAddress().getPort(), "") != 0) {
      assertThat(System.nanoTime()).as("connections are left").isLessThan(endNs);
      TimeUnit.MILLISECONDS.sleep(20);
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
