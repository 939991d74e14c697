package io.acaciafs.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.kv.testkit.disk.DiskTrace;
import io.acaciafs.kv.testkit.disk.DiskTrace.Op;
import io.acaciafs.kv.testkit.disk.PowerLosses;
import io.acaciafs.namenode.NameNode;
import io.acaciafs.namenode.backup.Backup;
import io.acaciafs.tools.common.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The power fails while a NameNode is formatted, serves, is backed up, restored, exported, imported
 * and formatted anew, each in a process of its own. On each disk that is left, what a command was
 * doing is done whole, or a sentence says what to do, and that succeeds. What a command has done is
 * there from its end on, and each acknowledged call.
 */
class NameNodePowerLossTest {
  private static final int STATES = Integer.getInteger("acacia.power-losses", 12);
  private static final long SEED = Long.getLong("acacia.seed", 1);
  private static final int CLIENTS = 3;
  private static final int ROUNDS = 12;
  private static final long PATIENCE_S = 120;
  private static final Duration LIMIT = Duration.ofSeconds(PATIENCE_S);
  private static final List<String> JVM =
      List.of(
          "-Xmx512m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Djava.net.preferIPv4Stack=true");

  /** What one process did, by operations of the trace: it had not begun, and was at its end. */
  private record Phase(String what, int begin, int end) {}

  @TempDir private Path scratch;
  private final Random random = new Random(SEED);
  private final List<Phase> phases = new ArrayList<>();
  private final List<ClientHistory> clients = new ArrayList<>();
  private Path disk;
  private FileSystem fileSystem;
  private DiskTrace trace;
  private List<Op> ops;

  /** Bytes of the trace before each of its operations, and at its end. */
  private long[] offsets;

  /** What is in the backup of the NameNode that served, and in that of the one that was stopped. */
  private SortedMap<String, String> live;

  private SortedMap<String, String> last;
  private int logs;

  @BeforeEach
  void compile() throws Exception {
    assumeTrue(
        DiskTrace.isPossible(),
        "A C compiler (cc, gcc or clang) is needed to record what a process writes; there is none");
    disk = Files.createDirectory(scratch.resolve("disk"));
    trace = DiskTrace.of(scratch, disk);
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new ClientHistory("client" + i, trace));
    }
  }

  @Test
  void eachCommandIsDoneWholeOrSaysWhatToDo() throws Exception {
    record();
    int[] cuts =
        IntStream.range(0, STATES)
            .map(
                state -> {
                  Phase phase = phases.get(state % phases.size());
                  return phase.begin + random.nextInt(phase.end - phase.begin + 1);
                })
            .toArray();
    new PowerLosses(scratch, SEED).check(ops, IntStream.of(cuts), op -> {}, this::check);
  }

  // ---- what is recorded

  private void record() throws Exception {
    command("format", settings(disk, "name"), "format");
    int[] before = new int[CLIENTS];
    serve(
        "serve",
        nameNode -> {
          CompletableFuture<Void> calls = callAll();
          Await.until(
              "calls before the backup",
              LIMIT,
              () -> clients.stream().allMatch(client -> client.count() > ROUNDS));
          for (int i = 0; i < CLIENTS; i++) {
            before[i] = clients.get(i).count();
          }
          int backupBegin = operations();
          Backup.make(nameNode, disk.resolve("live"));
          phases.add(new Phase("live", backupBegin, operations()));
          calls.get(PATIENCE_S, TimeUnit.SECONDS);
        },
        Process::destroyForcibly);
    serve("serve", nameNode -> callAll().get(PATIENCE_S, TimeUnit.SECONDS), Process::destroy);
    command("stopped", settings(disk, "name"), "backup", disk.resolve("stopped").toString());
    command("restore", settings(disk, "restored"), "restore", disk.resolve("live").toString());
    command("export", settings(disk, "name"), "export", "--fsimage", image(disk).toString());
    command("import", settings(disk, "imported"), "import", "--fsimage", file(disk).toString());
    live = restored(disk, "live", "expected-live");
    last = restored(disk, "stopped", "expected-stopped");
    for (int i = 0; i < CLIENTS; i++) {
      assertThat(clients.get(i).differences(live, before[i], Integer.MAX_VALUE)).isEmpty();
      int all = clients.get(i).count();
      assertThat(clients.get(i).differences(last, all, all)).isEmpty();
    }
    command("format-again", settings(disk, "restored"), "format", "-force");
    ops = trace.ops();
    offsets = new long[ops.size() + 1];
    for (int i = 0; i < ops.size(); i++) {
      offsets[i + 1] = offsets[i] + ops.get(i).bytes();
    }
  }

  private int operations() throws IOException {
    return trace.ops().size();
  }

  private static Configuration settings(Path root, String folder) {
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.namenode.name.dir", root.resolve(folder).toUri().toString());
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:0");
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    conf.set("acacia.rocksdb.log.size", "1m"); // so that calls fill segments, and some exceed one
    conf.set("acacia.rocksdb.block.cache", "8m");
    return conf;
  }

  private static Path image(Path root) {
    return root.resolve("image");
  }

  /** The image; one that is not there when there is none. */
  private static Path file(Path root) throws IOException {
    Path current = image(root).resolve("current");
    if (!Files.isDirectory(current)) {
      return current.resolve("none");
    }
    try (Stream<Path> files = Files.list(current)) {
      return files
          .filter(file -> file.getFileName().toString().matches("fsimage_\\d+"))
          .findFirst()
          .orElse(current.resolve("none"));
    }
  }

  private Process start(Configuration conf, String command, List<String> arguments)
      throws IOException {
    List<String> all = new ArrayList<>(List.of(command));
    for (String name :
        List.of(
            "dfs.namenode.name.dir",
            "fs.defaultFS",
            "dfs.namenode.rpc-address",
            "dfs.namenode.http-address",
            "acacia.rocksdb.log.size",
            "acacia.rocksdb.block.cache")) {
      all.addAll(List.of("-D", name + "=" + conf.get(name)));
    }
    all.addAll(arguments);
    return trace
        .command(JVM, Acacia.class.getName(), all)
        .redirectErrorStream(true)
        .redirectOutput(scratch.resolve(++logs + ".log").toFile())
        .start();
  }

  private void command(String what, Configuration conf, String command, String... arguments)
      throws Exception {
    int begin = operations();
    Process process = start(conf, command, List.of(arguments));
    assertThat(process.waitFor(PATIENCE_S, TimeUnit.SECONDS)).as(what).isTrue();
    assertThat(process.exitValue())
        .as("%s: %s", what, Files.readString(scratch.resolve(logs + ".log")))
        .isZero();
    phases.add(new Phase(what, begin, operations()));
  }

  private interface Use {
    void use(Configuration client) throws Exception;
  }

  private interface End {
    void end(Process process);
  }

  private void serve(String what, Use use, End end) throws Exception {
    int begin = operations();
    Path ready = scratch.resolve("ready");
    Configuration conf = settings(disk, "name");
    Process process = start(conf, "namenode", List.of("--ready-file", ready.toString()));
    try {
      Await.until("start", LIMIT, () -> Files.exists(ready) || !process.isAlive());
      assertThat(ready).as(scratch.resolve(logs + ".log").toString()).exists();
      Properties said = new Properties();
      said.load(Files.newBufferedReader(ready));
      String address = said.getProperty("fs.defaultFS");
      conf.set("fs.defaultFS", address);
      conf.set("dfs.namenode.rpc-address", address.substring("hdfs://".length()));
      try (FileSystem fs = FileSystem.newInstance(conf)) {
        fileSystem = fs;
        use.use(conf);
      }
    } finally {
      end.end(process);
      process.waitFor(PATIENCE_S, TimeUnit.SECONDS);
      Files.deleteIfExists(ready);
    }
    phases.add(new Phase(what, begin, operations()));
  }

  private CompletableFuture<Void> callAll() {
    return CompletableFuture.allOf(
        clients.stream()
            .map(
                client ->
                    CompletableFuture.runAsync(
                        () -> {
                          try {
                            client.run(fileSystem, ROUNDS);
                          } catch (IOException e) {
                            throw new IllegalStateException(e);
                          }
                        },
                        task -> new Thread(task, "client").start()))
            .toArray(CompletableFuture[]::new));
  }

  // ---- what is left

  private void check(Path left, int done) throws Exception {
    for (Phase phase : phases) {
      boolean isUnderWay = phase.begin <= done && done <= phase.end;
      boolean isDone = phase.end <= done;
      if (isUnderWay || isDone && random.nextInt(4) == 0) {
        check(left, phase.what, done, isDone);
      }
    }
  }

  private void check(Path left, String what, int done, boolean isDone) throws Exception {
    switch (what) {
      case "format" -> checkWhole(left, "name", done, isDone, "format", Map.of());
      case "serve" -> checkCalls(left, done);
      case "live", "stopped" -> checkBackup(left, what, isDone);
      case "restore" -> {
        if (done <= begin("format-again")) {
          checkWhole(left, "restored", done, isDone, "restore", live);
        }
      }
      case "export" -> checkImage(left, isDone);
      case "import" -> checkWhole(left, "imported", done, isDone, "import", last);
      case "format-again" -> checkFormatAgain(left, isDone);
      default -> throw new IllegalStateException(what);
    }
  }

  private int begin(String what) {
    return phases.stream().filter(phase -> phase.what.equals(what)).findFirst().get().begin;
  }

  /** Done whole, or it says to do it again, and that succeeds. */
  private void checkWhole(
      Path left, String folder, int done, boolean isDone, String command, Map<String, String> all)
      throws Exception {
    Configuration conf = settings(left, folder);
    boolean isFormat = command.equals("format");
    try {
      SortedMap<String, String> picture = picture(conf);
      if (!isFormat || done < begin("serve")) {
        assertThat(picture).isEqualTo(all);
      }
      return;
    } catch (IOException e) {
      assertThat(isDone).as("%s is refused after its end: %s", command, e).isFalse();
      assertThat(e)
          .satisfiesAnyOf(
              refusal -> assertThat(refusal).hasMessageContaining("is not formatted. Run"),
              refusal ->
                  assertThat(refusal)
                      .hasMessageContaining(
                          "that did not come to its end. Run 'acacia " + command));
    }
    switch (command) {
      case "format" -> NameNode.format(conf, null, false);
      case "restore" -> Backup.restore(conf, left.resolve("live"));
      default -> importInto(conf, file(left), 0);
    }
    assertThat(picture(conf)).isEqualTo(all);
  }

  private static void importInto(Configuration conf, Path image, int exit) {
    String folder = "dfs.namenode.name.dir=" + conf.get("dfs.namenode.name.dir");
    assertThat(Acacia.run("import", "-D", folder, "--fsimage", image.toString())).isEqualTo(exit);
  }

  private void checkCalls(Path left, int done) throws Exception {
    SortedMap<String, String> picture = picture(settings(left, "name"));
    for (ClientHistory client : clients) {
      int acknowledged = client.countAt(offsets[done]);
      assertThat(client.differences(picture, acknowledged, acknowledged + 1)).isEmpty();
    }
  }

  private void checkBackup(Path left, String backup, boolean isDone) throws Exception {
    try {
      SortedMap<String, String> restored = restored(left, backup, "from-" + backup);
      assertThat(restored).isEqualTo(backup.equals("live") ? live : last);
    } catch (IOException e) {
      assertThat(isDone).as("%s is refused after its end: %s", backup, e).isFalse();
      assertThat(e).hasMessageContaining("holds no backup");
    }
  }

  private void checkImage(Path left, boolean isDone) throws Exception {
    Configuration conf = settings(left, "from-image");
    Path image = file(left);
    String folder = "dfs.namenode.name.dir=" + conf.get("dfs.namenode.name.dir");
    int exit = Acacia.run("import", "-D", folder, "--fsimage", image.toString());
    assertThat(!isDone || exit == 0).as("an export that is done can be imported").isTrue();
    if (exit == 0) {
      assertThat(picture(conf)).isEqualTo(last);
    }
  }

  private void checkFormatAgain(Path left, boolean isDone) throws Exception {
    Configuration conf = settings(left, "restored");
    try {
      SortedMap<String, String> picture = picture(conf);
      assertThat(picture).isIn(isDone ? List.of(Map.of()) : List.of(Map.of(), live));
    } catch (IOException e) {
      assertThat(isDone).as("refused after a format: %s", e).isFalse();
      assertThat(e)
          .satisfiesAnyOf(
              refusal -> assertThat(refusal).hasMessageContaining("is not formatted. Run"),
              refusal ->
                  assertThat(refusal)
                      .hasMessageContaining("did not come to its end. Run 'acacia format'"));
      NameNode.format(conf, null, false);
      assertThat(picture(conf)).isEmpty();
    }
  }

  private static SortedMap<String, String> restored(Path root, String backup, String folder)
      throws IOException {
    Configuration conf = settings(root, folder);
    Backup.restore(conf, root.resolve(backup));
    return picture(conf);
  }

  /**
   * @throws IOException when the NameNode does not start
   */
  private static SortedMap<String, String> picture(Configuration conf) throws IOException {
    try (NameNode nameNode = NameNode.start(conf)) {
      InetSocketAddress address = nameNode.rpcAddress();
      Configuration client = new Configuration(conf);
      client.set("fs.defaultFS", "hdfs://127.0.0.1:" + address.getPort());
      try (FileSystem fs = FileSystem.newInstance(client)) {
        return NamespacePicture.of(fs);
      } catch (IOException e) {
        throw new AssertionError("The NameNode serves no picture", e);
      }
    }
  }
}
