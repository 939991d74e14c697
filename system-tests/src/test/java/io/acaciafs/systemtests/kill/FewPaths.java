package io.acaciafs.systemtests.kill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.systemtests.harness.ClientScript;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clients that work on the same few paths at the same time, each through a NameNode of its own
 * choice, until they are stopped. What they asked and were answered is written down line by line,
 * as {@code src/test/clients/linearizability} reads it. Each few hundred operations have a
 * directory of their own.
 */
final class FewPaths implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FewPaths.class);
  private static final int CLIENTS = 5;
  private static final int OPERATIONS_OF_ONE_HISTORY = 300;
  private static final int NO_HISTORY = -1;
  private static final long END_LIMIT_S = 300;
  private static final List<String> PATHS = List.of("a", "b", "a/b", "b/a", "a/b/c", "b/a/c");
  private static final List<String> OPERATIONS =
      List.of(
          "mkdir", "mkdir", "create", "delete", "rename", "rename", "chmod", "stat", "stat", "list",
          "list");

  /** By which HDFS says that it did nothing, and why. */
  private static final Set<String> REFUSALS =
      Set.of(
          "java.io.FileNotFoundException",
          "org.apache.hadoop.fs.FileAlreadyExistsException",
          "org.apache.hadoop.fs.ParentNotDirectoryException",
          "org.apache.hadoop.security.AccessControlException",
          "org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException",
          "org.apache.hadoop.hdfs.protocol.RecoveryInProgressException");

  /** So HDFS refuses to put a file in the place of a directory, by a plain IOException. */
  private static final String OF_TWO_KINDS = "must both be";

  private final Clients fileSystems;
  private final int nameNodes;
  private final Pace pace;
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
  private final ExecutorService threads;
  private final List<Future<?>> clients = new ArrayList<>();

  private record Call(String operation, String path, String other, int mode) {}

  /** Opens clients. Safe for use by many threads. */
  @FunctionalInterface
  interface Clients {
    /**
     * @param order of the NameNodes that the client is to ask, where it can be chosen
     */
    FileSystem open(List<Integer> order) throws IOException;
  }

  /** Decides when a client goes on, and in which history. Safe for use by many threads. */
  @FunctionalInterface
  interface Pace {
    /**
     * The history of a client's next operation. May wait.
     *
     * @param nameNode the one that the client asks first
     */
    int next(int nameNode, Random random) throws InterruptedException;
  }

  /** Starts them; they go on without pauses. */
  FewPaths(Clients fileSystems, int nameNodes, long seed) {
    this(fileSystems, nameNodes, CLIENTS, inTurn(), seed);
  }

  /** Starts so many. */
  FewPaths(Clients fileSystems, int nameNodes, int count, Pace pace, long seed) {
    this.fileSystems = fileSystems;
    this.nameNodes = nameNodes;
    this.pace = pace;
    this.threads = Executors.newFixedThreadPool(count);
    for (int i = 0; i < count; i++) {
      int number = i;
      clients.add(
          threads.submit(
              () -> {
                run(number, new Random(seed + number));
                return null;
              }));
    }
  }

  private static Pace inTurn() {
    AtomicInteger begun = new AtomicInteger();
    return (nameNode, random) -> begun.getAndIncrement() / OPERATIONS_OF_ONE_HISTORY;
  }

  /** Ends them when they have their answers, and returns all lines. */
  List<String> stop() throws Exception {
    isOver.set(true);
    for (Future<?> client : clients) {
      client.get(END_LIMIT_S, TimeUnit.SECONDS);
    }
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    isOver.set(true);
    threads.shutdownNow();
  }

  /** Failures that say nothing about paths. */
  List<String> errors() {
    return List.copyOf(errors);
  }

  /** Fails when a history is not linearizable; without Go the test is left out. */
  static void check(List<String> lines) throws Exception {
    check(lines, List.of());
  }

  /**
   * The same where a call is repeated after a while, by clients or for them: one that HDFS calls
   * idempotent may take effect twice.
   *
   * @param repeatedAfterMs calls that were answered sooner were not repeated
   */
  static void check(List<String> lines, long repeatedAfterMs) throws Exception {
    check(lines, List.of(Long.toString(repeatedAfterMs)));
  }

  private static void check(List<String> lines, List<String> options) throws Exception {
    java.nio.file.Path file =
        Files.createTempFile(
            java.nio.file.Path.of(System.getProperty("acacia.clusters")), "few-", ".txt");
    Files.write(file, lines);
    List<String> arguments = new ArrayList<>(List.of(file.toString()));
    arguments.addAll(options);
    ClientScript.Exit exit =
        new ClientScript("linearizability").run(arguments.toArray(String[]::new));
    assumeTrue(exit.code() != ClientScript.SKIPPED, exit.output());
    assertThat(exit.code()).as("%s: %s", file, exit.output()).isZero();
    LOG.info("Histories are linearizable file={} {}", file, exit.output().strip());
  }

  private void run(int thread, Random random) throws InterruptedException {
    List<Integer> order =
        new ArrayList<>(IntStream.range(0, nameNodes).boxed().collect(Collectors.toList()));
    int history = NO_HISTORY;
    while (!isOver.get()) {
      Collections.shuffle(order, random);
      if (history == NO_HISTORY) {
        history = pace.next(order.get(0), random);
      }
      try (DistributedFileSystem client = (DistributedFileSystem) fileSystems.open(order)) {
        client.mkdirs(new Path("/few/" + history));
        ClientProtocol calls = client.getClient().getNamenode();
        String name = client.getClient().getClientName();
        int next = history;
        while (!isOver.get() && next == history) {
          record(history, thread, draw(random), calls, name);
          next = pace.next(order.get(0), random);
        }
        history = next;
      } catch (IOException e) { // the client begins again
        errors.add("history " + history + ": " + e);
      }
    }
  }

  private static Call draw(Random random) {
    String operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
    String path = PATHS.get(random.nextInt(PATHS.size()));
    String other = PATHS.get(random.nextInt(PATHS.size()));
    if (operation.equals("rename") && (other + "/").startsWith(path + "/")) {
      return draw(random); // refused whatever there is
    }
    return new Call(operation, path, other, random.nextBoolean() ? 0755 : 0711);
  }

  private void record(int history, int thread, Call call, ClientProtocol calls, String client) {
    String top = "/few/" + history + "/";
    long calledNs = System.nanoTime();
    String answer;
    try {
      answer = ask(calls, top, call, client);
    } catch (RemoteException e) {
      if (REFUSALS.contains(e.getClassName()) || e.getMessage().contains(OF_TWO_KINDS)) {
        boolean isRead = call.operation.equals("stat") || call.operation.equals("list");
        answer = isRead ? "none" : "no";
      } else {
        answer = unknown(call, e);
      }
    } catch (IOException e) {
      answer = unknown(call, e);
    }
    lines.add(
        "%d %d %d %d %s %s %s %o %s"
            .formatted(
                history,
                thread,
                calledNs,
                System.nanoTime(),
                call.operation,
                call.path,
                call.other,
                call.mode,
                answer));
  }

  private String unknown(Call call, IOException failure) {
    errors.add(call + ": " + failure);
    return "unknown";
  }

  private static String ask(ClientProtocol calls, String top, Call call, String client)
      throws IOException {
    String path = top + call.path;
    FsPermission mode = new FsPermission((short) call.mode);
    switch (call.operation) {
      case "mkdir" -> {
        return calls.mkdirs(path, mode, false) ? "yes" : "no";
      }
      case "create" -> {
        calls.create(
            path,
            mode,
            client,
            new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
            false,
            (short) 1,
            1 << 20,
            CryptoProtocolVersion.supported(),
            null,
            null);
        return "yes";
      }
      case "delete" -> {
        return calls.delete(path, true) ? "yes" : "no";
      }
      case "rename" -> {
        calls.rename2(path, top + call.other, Options.Rename.NONE);
        return "yes";
      }
      case "chmod" -> {
        calls.setPermission(path, mode);
        return "yes";
      }
      case "stat" -> {
        return describe(calls.getFileInfo(path));
      }
      default -> {
        return describe(calls.getListing(path, new byte[0], false));
      }
    }
  }

  private static String describe(HdfsFileStatus status) {
    return status == null
        ? "none"
        : "%s%o".formatted(status.isDirectory() ? "d" : "f", status.getPermission().toShort());
  }

  private static String describe(DirectoryListing listing) {
    if (listing == null) {
      return "none";
    }
    HdfsFileStatus[] entries = listing.getPartialListing();
    return entries.length == 1 && entries[0].getLocalNameInBytes().length == 0
        ? describe(entries[0])
        : Arrays.stream(entries)
            .map(HdfsFileStatus::getLocalName)
            .sorted()
            .collect(Collectors.joining(",", "[", "]"));
  }
}
