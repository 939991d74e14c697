package io.acaciafs.systemtests.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import io.acaciafs.systemtests.harness.Signals;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.DistributedFileSystem;
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
      try (HaCluster restored = HaCluster.restore("restored", backups.get(from));
          DistributedFileSystem fs = restored.newFileSystem()) {
        for (int i = 0; i < makers.size(); i++) {
          assertThat(makers.get(i).missing(fs, before.get(from)[i])).as(id(from)).isEmpty();
        }
        assertThat(fs.mkdirs(new org.apache.hadoop.fs.Path("/after"))).isTrue();
        restored.awaitFollowers();
        NameNodeProcess.Exit check = restored.nameNode(restored.awaitLeader()).run("check");
        assertThat(check.output())
            .contains("The store is HEALTHY")
            .doesNotContain("NOT-CHECKED", "DAMAGE");
      }
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
      NameNodeProcess.Exit again = cluster.nameNode(machine).run("backup", target.toString());
      assertThat(again.code()).isNotZero();
      assertThat(again.output()).contains("The folder " + target + " is there already");
    }
    int follower = (leader + 1) % cluster.size();
    DFSAdmin admin = new DFSAdmin(cluster.clientConfiguration());
    String[] refresh = {
      "-refresh",
      cluster.rpcAddress(follower),
      "acacia.backup",
      folder.resolve("by-dfsadmin").toString()
    };
    assertThat(admin.run(refresh)).isZero();
    assertThat(folder.resolve("by-dfsadmin/BACKUP")).exists();
    NameNodeProcess.Exit unknown =
        cluster.nameNode(leader).run("backup", "--from=nn9", folder.resolve("x").toString());
    assertThat(unknown.output()).contains("nn9 is none of the NameNodes [nn1, nn2, nn3]");
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
