package io.acaciafs.systemtests.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namenode.NameNode;
import io.acaciafs.namenode.backup.Backup;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import io.acaciafs.systemtests.harness.Signals;
import io.acaciafs.systemtests.harness.StoreReport;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of three NameNodes, made by one that stands by, or by the one that leads. */
class FollowerBackupTest {
  private static final int BEFORE = 100;

  private static HaCluster cluster;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    cluster = HaCluster.start("follower-backup", 0);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  private static String id(int nameNode) {
    return "nn" + (nameNode + 1);
  }

  /** Makes a backup by a command on the machine of a NameNode, and returns what it said. */
  private static String backup(int onMachineOf, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("backup"));
    command.addAll(List.of(arguments));
    NameNodeProcess.Exit exit = cluster.nameNode(onMachineOf).run(command.toArray(String[]::new));
    assertThat(exit.code()).as(exit.output()).isZero();
    return exit.output();
  }

  private static void assertMadeBy(int nameNode, String said) {
    assertThat(said).contains("Backed up to ").contains(id(nameNode) + " made it, on its machine");
  }

  /** Whichever NameNode made it, it has all that was acknowledged when the command began. */
  @Test
  void aBackupHasAllThatWasAcknowledgedBeforeItBegan() throws Exception {
    List<DirectoryMaker> makers = new ArrayList<>();
    List<int[]> before = new ArrayList<>();
    List<Path> backups = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        makers.add(new DirectoryMaker(cluster, "/maker-" + i));
      }
      int leader = cluster.awaitLeader();
      for (int from = 0; from < cluster.size(); from++) {
        for (DirectoryMaker maker : makers) {
          maker.awaitMore(BEFORE);
        }
        backups.add(folder.resolve("from-" + id(from)));
        before.add(makers.stream().mapToInt(DirectoryMaker::acknowledged).toArray());
        assertMadeBy(from, backup(leader, "--from=" + id(from), backups.get(from).toString()));
      }
    } finally {
      makers.forEach(DirectoryMaker::close);
    }
    for (int from = 0; from < cluster.size(); from++) {
      assertIsWhole(backups.get(from), makers, before.get(from));
    }
  }

  /** A NameNode of its own has all that it needs in a backup of one of three. */
  private void assertIsWhole(Path backup, List<DirectoryMaker> makers, int[] before)
      throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.namenode.name.dir", folder.resolve("name-" + backup.getFileName()).toString());
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:0");
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    conf.set("dfs.namenode.safemode.extension", "0");
    Backup.restore(conf, backup);
    assertThat(StoreReport.damage(conf)).isEmpty();
    try (NameNode restored = NameNode.start(conf);
        FileSystem fs =
            FileSystem.newInstance(
                URI.create("hdfs://127.0.0.1:" + restored.rpcAddress().getPort()), conf)) {
      for (int i = 0; i < makers.size(); i++) {
        assertThat(makers.get(i).missing(fs, before[i])).as("%s", backup).isEmpty();
      }
      assertThat(fs.mkdirs(new org.apache.hadoop.fs.Path("/after"))).isTrue();
    }
  }

  /** It is the one on whose machine the command runs, where that one stands by. */
  @Test
  void oneThatStandsByMakesTheBackup() throws Exception {
    int leader = cluster.awaitLeader();
    for (int machine = 0; machine < cluster.size(); machine++) {
      Path target = folder.resolve("on-" + id(machine));
      String said = backup(machine, target.toString());
      if (machine == leader) {
        assertThat(said).contains(" made it, ").doesNotContain(id(leader) + " made it");
      } else {
        assertMadeBy(machine, said);
      }
      assertIsItsOwnersAlone(target);
    }
    int follower = (leader + 1) % cluster.size();
    for (int machine : new int[] {leader, follower}) {
      Path target = folder.resolve("on-" + id(machine));
      NameNodeProcess.Exit again = cluster.nameNode(machine).run("backup", target.toString());
      assertThat(again.code()).isNotZero();
      assertThat(again.output()).contains("The folder " + target + " is there already");
    }
    DFSAdmin admin = new DFSAdmin(cluster.clientConfiguration());
    String[] refresh = {
      "-refresh",
      cluster.rpcAddress(follower),
      "acacia.backup",
      folder.resolve("by-dfsadmin").toString()
    };
    assertThat(admin.run(refresh)).isZero();
    assertThat(folder.resolve("by-dfsadmin/BACKUP")).exists();
    assertIsItsOwnersAlone(folder.resolve("by-dfsadmin"));
    NameNodeProcess.Exit unknown =
        cluster.nameNode(leader).run("backup", "--from=nn9", folder.resolve("x").toString());
    assertThat(unknown.output()).contains("nn9 is none of the NameNodes [nn1, nn2, nn3]");
  }

  /** It holds the keys of tokens. */
  private static void assertIsItsOwnersAlone(Path backup) throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(backup)))
        .isEqualTo("rwx------");
  }

  @Test
  void anotherOneMakesTheBackupWhereOneStandsStill() throws Exception {
    int leader = cluster.awaitLeader();
    int frozen = (leader + 1) % cluster.size();
    int other = (leader + 2) % cluster.size();
    Signals.stop(cluster.nameNode(frozen).pid());
    try {
      assertMadeBy(other, backup(leader, folder.resolve("of-the-other").toString()));
    } finally {
      Signals.resume(cluster.nameNode(frozen).pid());
    }
  }

  /** What was acknowledged only a majority knows. */
  @Test
  void nobodyMakesABackupWhereNoneLeads() throws Exception {
    cluster.awaitFollowers();
    int left = cluster.awaitLeader();
    try {
      for (int i = 0; i < cluster.size(); i++) {
        if (i != left) {
          cluster.nameNode(i).kill();
        }
      }
      Path target = folder.resolve("of-none");
      NameNodeProcess.Exit none = cluster.nameNode(left).run("backup", target.toString());
      assertThat(none.code()).as(none.output()).isNotZero();
      assertThat(none.output())
          .containsPattern(
              "No NameNode leads at the moment|could not show that its store is the latest one");
      assertThat(target).doesNotExist();
    } finally {
      cluster.startEnded();
    }
    cluster.awaitFollowers();
  }
}
