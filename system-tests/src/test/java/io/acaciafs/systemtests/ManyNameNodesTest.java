package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.hbase.admin.HBaseAdmin;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.namenode.NameNode;
import io.acaciafs.namenode.backup.Backup;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.SharedStore;
import io.acaciafs.systemtests.harness.Signals;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.RollingUpgradeInfo;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Several NameNodes, all active, serve one namespace. The last tests end some of them. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ManyNameNodesTest {
  private static final int NAME_NODES = 3;
  private static final long LEASE_MS = 5_000;
  private static final int STEPS = 100;
  private static final int OPPOSITE_RENAMES = 20;

  /** Of calls; in some of them something else goes on. */
  private static final int ROUNDS = 40;

  private static final Duration IDLE = Duration.ofSeconds(10);

  private static SharedStore store;
  private static final List<FileSystem> CLIENTS = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no engines");
    store = new SharedStore("many", NAME_NODES, Map.of("acacia.namenode.lease", LEASE_MS + "ms"));
    for (int i = 0; i < NAME_NODES; i++) {
      CLIENTS.add(store.clientOf(i));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    for (FileSystem client : CLIENTS) {
      client.close();
    }
    if (store != null) {
      store.close();
    }
  }

  /** One call of a client. */
  @FunctionalInterface
  private interface Call {
    void run(ClientProtocol nameNode, String name) throws IOException;
  }

  /** With known directories, and little else going on. */
  @Test
  @Order(8)
  void operationsTakeFewRequestsToHBase() throws Exception {
    for (int i = 0; i < NAME_NODES; i++) {
      if (store.nameNode(i).isAlive()) {
        store.nameNode(i).terminate(); // none is to take this process for dead
      }
    }
    Configuration conf = store.oneMore();
    NameNode.bootstrap(conf);
    Map<String, Long> inOneRegion = usualRequests(conf, "/middle/one");
    System.out.println("Requests to HBase, one region: " + inOneRegion);
    assertThat(inOneRegion)
        .containsExactly(
            Map.entry("mkdir", 1L),
            Map.entry("create", 1L),
            Map.entry("setPermission", 1L),
            Map.entry("stat", 1L),
            Map.entry("list", 1L),
            Map.entry("open", 1L),
            Map.entry("rename in one directory", 1L),
            Map.entry("rename across", 1L),
            Map.entry("delete", 1L));
  }

  /**
   * The rows of an inode lie beside its entry. Not so those of what was moved to another directory:
   * they may be one request more.
   */
  @Test
  @Order(9)
  void operationsTakeFewRequestsToManyRegions() throws Exception {
    Configuration conf = store.oneMore();
    conf.set("acacia.store.hbase.table", "regions");
    conf.setInt("acacia.store.hbase.regions", 4);
    NameNode.format(conf, "CID-regions", false);
    Map<String, Long> inMany = usualRequests(conf, null);
    System.out.println("Requests to HBase, many regions: " + inMany);
    assertThat(inMany.remove("rename across")).isBetween(1L, 3L);
    assertThat(inMany.remove("delete")).isBetween(1L, 2L);
    assertThat(inMany)
        .containsExactly(
            Map.entry("mkdir", 1L),
            Map.entry("create", 1L),
            Map.entry("setPermission", 1L),
            Map.entry("stat", 1L),
            Map.entry("list", 1L),
            Map.entry("create in a directory of 8 buckets", 1L),
            Map.entry("delete there", 1L),
            Map.entry("rename in one directory", 1L));
  }

  /** One that serves longest looks after the whole, which the others leave to it. */
  @Test
  @Order(10)
  void whoeverHasNothingToDoAsksHBaseForLittle() throws Exception {
    Configuration first = store.oneMore();
    Configuration second = store.oneMore();
    for (Configuration conf : List.of(first, second)) {
      conf.set("acacia.store.hbase.table", "idle");
      conf.set("acacia.namenode.lease", "10s"); // the default
    }
    NameNode.format(first, "CID-idle", false);
    try (NameNode one = NameNode.start(first)) {
      NameNode.bootstrap(second);
      try (NameNode other = NameNode.start(second)) {
        Duration start = Duration.ofSeconds(3);
        await("the end of the start", start);
        long beforeOne = one.storeRequests();
        long beforeOther = other.storeRequests();
        await("idle time", IDLE);
        double ofOne = (double) (one.storeRequests() - beforeOne) / IDLE.toSeconds();
        double ofOther = (double) (other.storeRequests() - beforeOther) / IDLE.toSeconds();
        System.out.println("Idle, requests to HBase a second: " + ofOne + ", " + ofOther);
        // Own row and all others' every 2 s; boards every 2 s; clients' leases every 5 s; four
        // reads
        // for history and problems every 10 s. One read may fall in or out.
        assertThat(ofOther).as("of those that do not look after the whole").isLessThan(2.3);
        assertThat(ofOne).as("with what is to be swept and repaired").isLessThan(5);
      }
    }
  }

  private static void await(String what, Duration time) throws Exception {
    long beginNs = System.nanoTime();
    Await.until(what, time.plusSeconds(60), () -> System.nanoTime() - beginNs >= time.toNanos());
  }

  /**
   * The usual number, as others are at work too.
   *
   * @param file of one block, to be opened; null for none
   */
  private static Map<String, Long> usualRequests(Configuration conf, String file) throws Exception {
    try (NameNode nameNode = NameNode.start(conf);
        DistributedFileSystem client =
            (DistributedFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf)) {
      for (int i = 0; i < 3; i++) {
        create(client, "/few/a/b/c/warm" + i);
        client.mkdirs(new Path("/few/a/b/d/warm" + i));
      }
      ClientProtocol calls = client.getClient().getNamenode();
      Map<String, List<Long>> requests = new LinkedHashMap<>();
      Map<String, Call> all = new LinkedHashMap<>();
      FsPermission mode = new FsPermission((short) 0755);
      all.put("mkdir", (one, name) -> one.mkdirs("/few/a/b/d/" + name, mode, false));
      all.put("create", (one, name) -> createOnly(one, "/few/a/b/c/" + name, mode));
      all.put("setPermission", (one, name) -> one.setPermission("/few/a/b/c/" + name, mode));
      all.put("stat", (one, name) -> one.getFileInfo("/few/a/b/c/" + name));
      all.put("list", (one, name) -> one.getListing("/few/a/b/c", new byte[0], false));
      if (file != null) {
        all.put("open", (one, name) -> one.getBlockLocations(file, 0, 1));
      } else {
        client.mkdirs(new Path("/few/spread"));
        client.setXAttr(new Path("/few/spread"), "user.acacia.buckets", new byte[] {'8'});
        for (int i = 0; i < ROUNDS; i++) {
          create(client, "/few/spread/warm" + i); // has counters in each bucket
        }
        all.put(
            "create in a directory of 8 buckets",
            (one, name) -> createOnly(one, "/few/spread/" + name, mode));
        all.put("delete there", (one, name) -> one.delete("/few/spread/" + name, false));
      }
      all.put(
          "rename in one directory",
          (one, name) -> one.rename("/few/a/b/c/" + name, "/few/a/b/c/" + name + "x"));
      all.put(
          "rename across",
          (one, name) -> one.rename("/few/a/b/c/" + name + "x", "/few/a/b/" + name));
      all.put("delete", (one, name) -> one.delete("/few/a/b/" + name, false));
      for (int i = 0; i < ROUNDS; i++) {
        for (Map.Entry<String, Call> call : all.entrySet()) {
          for (int look = 0; look < 3; look++) {
            calls.getFileInfo("/few/a"); // takes longer than what the call before left behind
          }
          long before = nameNode.storeRequests();
          call.getValue().run(calls, "f" + i);
          requests
              .computeIfAbsent(call.getKey(), key -> new ArrayList<>())
              .add(nameNode.storeRequests() - before);
        }
      }
      Map<String, Long> usual = new LinkedHashMap<>();
      requests.forEach(
          (call, counts) -> usual.put(call, counts.stream().sorted().toList().get(ROUNDS / 2)));
      return usual;
    }
  }

  private static void createOnly(ClientProtocol nameNode, String path, FsPermission mode)
      throws IOException {
    nameNode.create(
        path,
        mode,
        "client",
        new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
        false,
        (short) 1,
        1 << 20,
        CryptoProtocolVersion.supported(),
        null,
        null);
  }

  private static boolean exists(int nameNode, String path) throws IOException {
    return CLIENTS.get(nameNode).exists(new Path(path));
  }

  private static void create(FileSystem client, String path) throws IOException {
    client.create(new Path(path), false).close();
  }

  @Test
  @Order(1)
  void whatOneDoesAllOthersSeeAtOnce() throws Exception {
    Random random = new Random(1);
    Set<String> files = new TreeSet<>();
    CLIENTS.get(0).mkdirs(new Path("/seen/d"));
    for (int i = 0; i < STEPS; i++) {
      FileSystem one = CLIENTS.get(random.nextInt(NAME_NODES));
      String name = "f" + random.nextInt(10);
      String other = "f" + random.nextInt(10);
      switch (random.nextInt(3)) {
        case 0 -> {
          if (files.add(name)) {
            create(one, "/seen/d/" + name);
          }
        }
        case 1 ->
            assertThat(one.delete(new Path("/seen/d/" + name), false))
                .isEqualTo(files.remove(name));
        default -> {
          boolean mayRename = files.contains(name) && !files.contains(other);
          assertThat(one.rename(new Path("/seen/d/" + name), new Path("/seen/d/" + other)))
              .isEqualTo(mayRename || files.contains(name) && name.equals(other));
          if (mayRename) {
            files.remove(name);
            files.add(other);
          }
        }
      }
      FileSystem another = CLIENTS.get(random.nextInt(NAME_NODES));
      assertThat(another.exists(new Path("/seen/d/" + name))).isEqualTo(files.contains(name));
      assertThat(names(another, "/seen/d")).as("after step " + i).isEqualTo(files);
    }
  }

  private static Set<String> names(FileSystem client, String directory) throws IOException {
    Set<String> names = new TreeSet<>();
    Arrays.stream(client.listStatus(new Path(directory)))
        .map(FileStatus::getPath)
        .map(Path::getName)
        .forEach(names::add);
    return names;
  }

  @Test
  @Order(2)
  void aDirectoryThatOneKnowsIsRenamedByAnother() throws Exception {
    create(CLIENTS.get(0), "/known/a/b/c/f");
    for (int i = 0; i < 10; i++) {
      String from = i % 2 == 0 ? "/known/a" : "/known/z";
      String to = i % 2 == 0 ? "/known/z" : "/known/a";
      for (int nameNode = 0; nameNode < NAME_NODES; nameNode++) {
        assertThat(exists(nameNode, from + "/b/c/f")).isTrue();
        assertThat(exists(nameNode, to + "/b/c/f")).isFalse();
      }
      assertThat(CLIENTS.get(i % NAME_NODES).rename(new Path(from), new Path(to))).isTrue();
      for (int nameNode = 0; nameNode < NAME_NODES; nameNode++) {
        assertThat(exists(nameNode, from + "/b/c/f")).isFalse();
        assertThat(exists(nameNode, to + "/b/c/f")).isTrue();
      }
    }
  }

  @Test
  @Order(3)
  void whoIsShutOutByOneIsShutOutByAll() throws Exception {
    Path directory = new Path("/rights/d");
    create(CLIENTS.get(0), "/rights/d/deep/f");
    UserGroupInformation alice = UserGroupInformation.createRemoteUser("alice");
    try (FileSystem first = as(alice, 0);
        FileSystem second = as(alice, 1)) {
      for (int i = 0; i < 5; i++) {
        CLIENTS.get(0).setPermission(directory, new FsPermission((short) 0755));
        assertThat(first.exists(new Path(directory, "deep/f"))).isTrue();
        assertThat(second.exists(new Path(directory, "deep/f"))).isTrue();
        CLIENTS.get(2).setPermission(directory, new FsPermission((short) 0700));
        for (FileSystem client : List.of(first, second)) {
          assertThatThrownBy(() -> client.getFileStatus(new Path(directory, "deep/f")))
              .isInstanceOf(AccessControlException.class);
          assertThatThrownBy(() -> client.listStatus(new Path(directory, "deep")))
              .isInstanceOf(AccessControlException.class);
        }
      }
    }
  }

  private static FileSystem as(UserGroupInformation user, int nameNode) throws Exception {
    return user.doAs((PrivilegedExceptionAction<FileSystem>) () -> store.clientOf(nameNode));
  }

  @Test
  @Order(4)
  void oppositeRenamesNeverMakeALoop() throws Exception {
    for (int i = 0; i < OPPOSITE_RENAMES; i++) {
      String top = "/loop/" + i;
      create(CLIENTS.get(0), top + "/a/f");
      create(CLIENTS.get(1), top + "/b/f");
      CyclicBarrier start = new CyclicBarrier(2);
      CompletableFuture<Boolean> one = rename(start, 0, top + "/a", top + "/b/a");
      CompletableFuture<Boolean> other = rename(start, 1, top + "/b", top + "/a/b");
      boolean first = one.get(60, TimeUnit.SECONDS);
      boolean second = other.get(60, TimeUnit.SECONDS);
      assertThat(first).as("one of the two succeeds").isNotEqualTo(second);
      assertThat(names(CLIENTS.get(2), top)).containsExactly(first ? "b" : "a");
      assertThat(exists(2, first ? top + "/b/a/f" : top + "/a/b/f")).isTrue();
    }
  }

  /** All give the same answers, whichever was asked to begin it and to end it. */
  @Test
  @Tag("long")
  @Order(4)
  void aRollingUpgradeIsOneOfAll() throws Exception {
    DistributedFileSystem first = (DistributedFileSystem) CLIENTS.get(0);
    DistributedFileSystem second = (DistributedFileSystem) CLIENTS.get(1);
    DistributedFileSystem third = (DistributedFileSystem) CLIENTS.get(2);
    RollingUpgradeInfo begun = second.rollingUpgrade(RollingUpgradeAction.PREPARE);
    assertThat(third.rollingUpgrade(RollingUpgradeAction.PREPARE)).isEqualTo(begun);
    Await.until(
        "a backup for the rollback",
        Duration.ofMinutes(2),
        () -> first.rollingUpgrade(RollingUpgradeAction.QUERY).createdRollbackImages());
    assertThat(third.rollingUpgrade(RollingUpgradeAction.QUERY)).isEqualTo(begun);

    assertThat(third.rollingUpgrade(RollingUpgradeAction.FINALIZE).isFinalized()).isTrue();
    for (DistributedFileSystem client : List.of(first, second, third)) {
      assertThat(client.rollingUpgrade(RollingUpgradeAction.QUERY)).isNull();
    }
  }

  @Test
  @Tag("long")
  @Order(4)
  void aBackupThatOneMakesHoldsWhatAllHaveDone() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    List<AtomicInteger> moved = new ArrayList<>();
    List<CompletableFuture<Void>> movers = new ArrayList<>();
    for (int i = 0; i < NAME_NODES; i++) {
      FileSystem client = CLIENTS.get(i);
      client.mkdirs(new Path("/backup/from" + i));
      client.mkdirs(new Path("/backup/to" + i));
      moved.add(new AtomicInteger());
      String number = Integer.toString(i);
      AtomicInteger count = moved.get(i);
      movers.add(CompletableFuture.runAsync(() -> move(client, number, count, isOver)));
    }
    Await.until(
        "some directories",
        Duration.ofSeconds(60),
        () -> moved.stream().allMatch(count -> count.get() > 10));
    Configuration asked = store.oneMore();
    asked.set("fs.defaultFS", store.uri(1).toString());
    asked.set("dfs.namenode.rpc-address", store.uri(1).getAuthority());
    java.nio.file.Path folder =
        Files.createTempDirectory(
                java.nio.file.Path.of(System.getProperty("acacia.clusters")), "backup-")
            .resolve("backup");
    int[] before = moved.stream().mapToInt(AtomicInteger::get).toArray();
    String said = Backup.make(asked, folder);
    assertThat(said).contains("HBase keeps it as the snapshot acacia-backup-");
    isOver.set(true);
    for (CompletableFuture<Void> mover : movers) {
      mover.get(60, TimeUnit.SECONDS);
    }

    Configuration conf = store.oneMore();
    assertThatThrownBy(() -> Backup.restore(conf, folder)).hasMessageContaining("already");
    conf.set("acacia.store.hbase.table", "restored");
    HBaseOptions part = // as one that was cut off leaves
        HBaseOptions.of(conf.get("acacia.store.hbase.zookeeper")).withTable("restored-restoring");
    HBaseAdmin.restore(part, said.replaceAll(".*(acacia-backup-\\d+)$", "$1"));
    assertThatThrownBy(() -> NameNode.bootstrap(conf)).hasMessageContaining("no table restored");
    assertThat(Backup.restore(conf, folder)).contains("table restored");
    assertThat(HBaseAdmin.isFormatted(part)).isFalse();

    Configuration late = store.oneMore();
    late.set("acacia.store.hbase.table", "restored");
    HBaseOptions restored = part.withTable("restored");
    HBaseAdmin.restore(part, said.replaceAll(".*(acacia-backup-\\d+)$", "$1"));
    assertThatThrownBy(() -> Backup.restore(late, folder))
        .hasMessageContaining("restored-restoring");
    assertThat(HBaseAdmin.isFormatted(part)).as("what another restore may be at").isTrue();
    try (HBaseStore made = HBaseStore.open(restored)) {
      made.snapshots().orElseThrow().take("restored-once");
    }
    HBaseAdmin.drop(part, "restored-restoring");
    HBaseAdmin.restore(part, "restored-once"); // as one leaves that had made the table
    assertThatThrownBy(() -> Backup.restore(late, folder)).hasMessageContaining("bootstrap");
    assertThat(HBaseAdmin.isFormatted(part)).isFalse();

    try (NameNode nameNode = NameNode.start(conf);
        FileSystem client = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf)) {
      assertThat(nameNode.rpcAddress().getPort()).isPositive();
      for (int i = 0; i < NAME_NODES; i++) {
        Set<String> from = names(client, "/backup/from" + i);
        Set<String> to = names(client, "/backup/to" + i);
        for (int n = 0; n < before[i]; n++) {
          assertThat(to).contains("d" + n);
        }
        assertThat(from).doesNotContainAnyElementsOf(to).hasSizeLessThanOrEqualTo(1);
        assertThat(client.mkdirs(new Path("/backup/new" + i))).isTrue();
      }
    }
  }

  private static void move(
      FileSystem client, String number, AtomicInteger moved, AtomicBoolean isOver) {
    try {
      for (int i = 0; !isOver.get(); i++) {
        Path made = new Path("/backup/from" + number, "d" + i);
        client.mkdirs(made);
        assertThat(client.rename(made, new Path("/backup/to" + number, "d" + i))).isTrue();
        moved.set(i + 1);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static CompletableFuture<Boolean> rename(
      CyclicBarrier start, int nameNode, String from, String to) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            start.await(60, TimeUnit.SECONDS);
            return CLIENTS.get(nameNode).rename(new Path(from), new Path(to));
          } catch (FileNotFoundException e) {
            return false;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  @Order(5)
  void theOneThatStoodStillForLongerThanItsLeaseGivesNoOldAnswer() throws Exception {
    create(CLIENTS.get(1), "/still/a/f");
    assertThat(exists(0, "/still/a/f")).isTrue();
    long pid = store.nameNode(0).pid();
    Signals.stop(pid);
    CompletableFuture<String> answer;
    try {
      long stoppedNs = System.nanoTime();
      assertThat(CLIENTS.get(1).rename(new Path("/still/a"), new Path("/still/b"))).isTrue();
      answer = CompletableFuture.supplyAsync(() -> ask("/still/a/f"));
      Await.until(
          "the end of the lease",
          Duration.ofSeconds(60),
          () -> System.nanoTime() - stoppedNs > TimeUnit.MILLISECONDS.toNanos(2 * LEASE_MS));
    } finally {
      Signals.resume(pid);
    }
    assertThat(answer.get(60, TimeUnit.SECONDS)).isNotEqualTo("is there");
    Await.until(
        "the end of the one that was taken for dead",
        Duration.ofSeconds(60),
        () -> !store.nameNode(0).isAlive());
    assertThat(exists(1, "/still/b/f")).isTrue();
    store.nameNode(0).start();
    store.await(0);
    assertThat(exists(0, "/still/a/f")).isFalse();
    assertThat(exists(0, "/still/b/f")).isTrue();
  }

  private static String ask(String path) {
    try {
      return exists(0, path) ? "is there" : "is not there";
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  @Order(6)
  void aClientGoesOnWithAnotherInTheMiddleOfAFile() throws Exception {
    store.startDataNode();
    Content content = new Content(7, 6_500_000);
    Path file = new Path("/middle/f");
    try (FileSystem client = store.clientOf(List.of(2, 1, 0))) {
      Await.until(
          "a DataNode that all know",
          Duration.ofSeconds(60),
          () -> CLIENTS.stream().allMatch(each -> remaining(each) > 0));
      try (FSDataOutputStream out = client.create(file, true, 4096, (short) 1, 1 << 20)) {
        out.write(content.bytes(), 0, 3_000_000);
        out.hflush();
        store.nameNode(2).kill();
        out.write(content.bytes(), 3_000_000, content.lengthBytes() - 3_000_000);
      }
      assertThat(Content.read(client, file)).isEqualTo(content.bytes());
      try (FSDataOutputStream out = client.create(new Path("/middle/one"), (short) 1)) {
        out.write(content.bytes(), 0, 1_000); // one block, for the last tests
      }
    }
    assertThat(Content.read(CLIENTS.get(0), file)).isEqualTo(content.bytes());
    store.nameNode(2).start();
    store.await(2);
    assertThat(Content.read(CLIENTS.get(2), file)).isEqualTo(content.bytes());
  }

  private static long remaining(FileSystem client) {
    try {
      return client.getStatus().getRemaining();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @Order(7)
  void clientsGoOnWhenOneIsKilled() throws Exception {
    List<CompletableFuture<Set<String>>> writers = new ArrayList<>();
    AtomicInteger done = new AtomicInteger();
    for (int i = 0; i < 6; i++) {
      String directory = "/killed/" + i;
      writers.add(CompletableFuture.supplyAsync(() -> write(directory, done)));
    }
    Await.until("some files", Duration.ofSeconds(60), () -> done.get() > 60);
    store.nameNode(2).kill();
    int before = done.get();
    Await.until("more files", Duration.ofSeconds(60), () -> done.get() > before + 60);
    for (int i = 0; i < writers.size(); i++) {
      Set<String> written = writers.get(i).get(60, TimeUnit.SECONDS);
      assertThat(names(CLIENTS.get(i % 2), "/killed/" + i)).isEqualTo(written);
    }
  }

  /** Each file is opened, closed, moved away and back again, through whichever NameNode it is. */
  private static Set<String> write(String directory, AtomicInteger done) {
    Set<String> written = new TreeSet<>();
    try (FileSystem client = store.clientOfAll()) {
      for (int i = 0; i < 60; i++) {
        Path file = new Path(directory, "f" + i);
        FSDataOutputStream out = client.create(file, false);
        out.close();
        assertThat(client.rename(file, file.suffix("-moved"))).isTrue();
        written.add(file.getName() + "-moved");
        done.incrementAndGet();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return written;
  }
}
