package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.blocks.datanode.NameNodes;
import io.acaciafs.blocks.placement.FilePolicies;
import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namenode.admin.LeaderHealth;
import io.acaciafs.namenode.backup.RollbackBackup;
import io.acaciafs.namenode.ha.Leadership;
import io.acaciafs.namenode.monitor.DiskSpace;
import io.acaciafs.namenode.monitor.StoreHealth;
import io.acaciafs.namenode.process.Threads;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.RoutedClients;
import io.acaciafs.namenode.token.DelegationTokens;
import io.acaciafs.namenode.token.TokenSettings;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ScheduledExecutorService;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/compatibility.md says of every call what the NameNode does with it. */
class CompatibilityTableTest {
  private static final Path TABLE = Path.of("../docs/compatibility.md");
  private static final Path APPLICATIONS = Path.of("../docs/applications.md");
  private static final Pattern CALLS = Pattern.compile("\\|.*\\|.*\\| ((\\w+, )+\\w+) \\|");
  private static final Pattern ROW =
      Pattern.compile("\\| (\\w+) \\| (works|refused|not yet) \\|.*");

  private final ScheduledExecutorService executor = Threads.scheduler("test", 1);
  private List<RpcProtocol> protocols;

  @BeforeEach
  void start() throws IOException {
    EngineStore store = new MemoryStore();
    TransactionRunner runner =
        new TransactionRunner(store, executor, RandomGenerator.of("L64X128MixRandom"));
    ClusterIdentity identity = new ClusterIdentity(1, "CID-test", "BP-test", 0);
    HdfsConfiguration conf = new HdfsConfiguration();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1");
    Clock clock = Clock.systemUTC();
    BlockManager blocks =
        new BlockManager(
            identity,
            new BlockContext(
                runner,
                identity.blockPoolId(),
                conf,
                clock,
                RandomGenerator.of("L64X128MixRandom"),
                executor),
            FilePolicies.NONE,
            NameNodes.alone());
    Namespace namespace =
        new Namespace(
            runner, NamespaceSettings.defaults("hdfs"), new BlocksOfFiles(blocks), clock, clock);
    protocols =
        Protocols.of(
            conf,
            new Protocols.Served(
                store,
                blocks,
                new DelegationTokens(runner, TokenSettings.of(conf), clock, executor),
                rollback(blocks),
                true,
                LeaderHealth.of(
                    conf,
                    new StoreHealth(store),
                    DiskSpace.of(conf, List.of()),
                    blocks.safeMode())),
            clock,
            Leadership.always(),
            new Protocols.CallThreads(executor, namespace.subtreeCounter(executor, 1, 1), executor),
            new Answers(namespace, () -> false, RoutedClients.NONE, null));
  }

  /** Never asked for one. */
  private static RollbackBackup rollback(BlockManager blocks) {
    return new RollbackBackup(blocks.upgrades(), null, Path.of("/none"), () -> false);
  }

  @AfterEach
  void stop() {
    Threads.shutDown(executor);
  }

  @Test
  void listsEveryCallAndWhetherItIsAnswered() throws IOException {
    Map<String, Boolean> served = new TreeMap<>();
    for (RpcProtocol protocol : protocols) {
      for (String method : protocol.methodNames()) {
        served.put(
            simpleName(protocol) + "." + method, protocol.answeredMethodNames().contains(method));
      }
    }
    assertThat(answeredByTable()).containsExactlyEntriesOf(served);
  }

  /** docs/applications.md promises it of each call that it names. */
  @Test
  void answersWhatApplicationsCall() throws IOException {
    Map<String, Boolean> answered = answeredByTable();
    Set<String> called = new TreeSet<>();
    for (String line : Files.readAllLines(APPLICATIONS)) {
      Matcher row = CALLS.matcher(line);
      if (row.matches()) {
        called.addAll(List.of(row.group(1).split(", ")));
      }
    }
    assertThat(called)
        .hasSizeGreaterThan(50)
        .allSatisfy(call -> assertThat(answered).containsEntry("ClientProtocol." + call, true));
  }

  private static String simpleName(RpcProtocol protocol) {
    return protocol.name().substring(protocol.name().lastIndexOf('.') + 1);
  }

  /** Each table stands below a title that is its protocol's name. */
  private static Map<String, Boolean> answeredByTable() throws IOException {
    Map<String, Boolean> answered = new TreeMap<>();
    String title = "";
    for (String line : Files.readAllLines(TABLE)) {
      if (line.startsWith("## ")) {
        title = line.substring("## ".length());
      }
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        answered.put(title + "." + row.group(1), !row.group(2).equals("not yet"));
      }
    }
    return answered;
  }
}
