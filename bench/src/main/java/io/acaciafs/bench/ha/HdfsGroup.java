package io.acaciafs.bench.ha;

import io.acaciafs.bench.compare.Contestant;
import io.acaciafs.bench.compare.JavaProgram;
import io.acaciafs.bench.compare.Listening;
import io.acaciafs.bench.compare.Site;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.tools.DFSHAAdmin;
import org.apache.hadoop.util.ToolRunner;

/**
 * Hadoop's NameNode and its standby, three JournalNodes, a ZooKeeper, and a failover controller for
 * each NameNode, at their defaults.
 */
final class HdfsGroup extends HaGroup {
  private static final List<String> IDS = List.of("nn1", "nn2");
  private static final int JOURNAL_NODES = 3;
  private static final String JOURNAL_NODE = "org.apache.hadoop.hdfs.qjournal.server.JournalNode";
  private static final String ZOOKEEPER = "org.apache.zookeeper.server.ZooKeeperServerMain";
  private static final String CONTROLLER = "org.apache.hadoop.hdfs.tools.DFSZKFailoverController";

  private final List<JavaProgram> journalNodes = new ArrayList<>();

  private HdfsGroup(Nameservice nameservice) {
    super(nameservice);
  }

  /** Formats and starts; one of them serves when this returns. */
  static HdfsGroup start(Path folder, List<String> jvmOptions) throws IOException {
    Nameservice nameservice = new Nameservice(Contestant.HDFS, folder, jvmOptions, IDS);
    HdfsGroup group = new HdfsGroup(nameservice);
    try {
      InetSocketAddress zookeeper = Listening.freeAddress();
      nameservice.set("ha.zookeeper.quorum", Nameservice.text(zookeeper));
      nameservice.set("dfs.ha.automatic-failover.enabled", "true");
      for (String id : IDS) {
        nameservice.set("dfs.ha.zkfc.port", id, port(Listening.freeAddress()));
      }
      group.startJournalNodes();
      Site keeper = nameservice.site("zookeeper", Map.of());
      group.startOther(
          keeper,
          ZOOKEEPER,
          List.of(port(zookeeper), keeper.folder().resolve("data").toString()),
          zookeeper);
      group.site(IDS.get(0)).run(Contestant.HDFS.format(), "format", COMMAND_LIMIT);
      group.startNameNode(IDS.get(0));
      group
          .site(IDS.get(1))
          .run(List.of("-bootstrapStandby", "-nonInteractive"), "format", COMMAND_LIMIT);
      group.startNameNode(IDS.get(1));
      group.startControllers();
      nameservice.awaitActive();
      return group;
    } catch (IOException e) {
      throw group.resources.closeAfter(e);
    }
  }

  private static String port(InetSocketAddress address) {
    return Integer.toString(address.getPort());
  }

  private JavaProgram startOther(
      Site site, String mainClass, List<String> arguments, InetSocketAddress listensOn)
      throws IOException {
    JavaProgram program = resources.add(site.startOther(mainClass, arguments, "output"));
    Listening.await(listensOn, program);
    return program;
  }

  private void startJournalNodes() throws IOException {
    List<String> addresses = new ArrayList<>();
    for (int i = 1; i <= JOURNAL_NODES; i++) {
      InetSocketAddress address = Listening.freeAddress();
      addresses.add(Nameservice.text(address));
      String name = "jn" + i;
      Site site =
          nameservice.site(
              name,
              Map.of(
                  "dfs.journalnode.rpc-address",
                  Nameservice.text(address),
                  "dfs.journalnode.http-address",
                  Nameservice.text(Listening.freeAddress())));
      journalNodes.add(startJournalNode(site, address));
    }
    nameservice.set(
        "dfs.namenode.shared.edits.dir",
        "qjournal://" + String.join(";", addresses) + "/" + nameservice.name());
  }

  private JavaProgram startJournalNode(Site site, InetSocketAddress address) throws IOException {
    Path edits = site.folder().resolve("edits");
    return startOther(site, JOURNAL_NODE, List.of("-Ddfs.journalnode.edits.dir=" + edits), address);
  }

  private void startControllers() throws IOException {
    for (String id : IDS) {
      Site site = nameservice.site(id, "controller-" + id);
      if (id.equals(IDS.get(0))) {
        try (JavaProgram format =
            site.startOther(CONTROLLER, List.of("-formatZK", "-nonInteractive"), "format")) {
          format.awaitSuccess(COMMAND_LIMIT);
        }
      }
      resources.add(site.startOther(CONTROLLER, List.of(), "output"));
    }
  }

  /** The NameNodes and the JournalNodes: what an operation goes through. */
  @Override
  public List<Long> pids() {
    return Stream.concat(super.pids().stream(), journalNodes.stream().map(JavaProgram::pid))
        .toList();
  }

  /** As its command does it, which asks the controllers. */
  @Override
  void handOver(String active, String next) throws Exception {
    String[] command = {"-failover", active, next};
    if (ToolRunner.run(client(), new DFSHAAdmin(), command) != 0) {
      throw new IOException("haadmin " + String.join(" ", command) + " failed");
    }
  }
}
