package io.acaciafs.systemtests.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * NameNodes that do not fit the other two: each ends with a sentence that says why, the others go
 * on, and nothing is lost.
 */
class BadMembersTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int BEFORE = 20;
  private static final String MEMBERS = "acacia.store.raft.members";
  private static final String STRANGER = "do not belong together";

  private static HaCluster cluster;

  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    cluster = HaCluster.start("bad-members", 0);
  }

  @AfterAll
  static void stop() throws IOException {
    cluster.close();
  }

  /** What the start of a NameNode says that ends by itself. */
  private static String refusal(NameNodeProcess nameNode) throws Exception {
    nameNode.start();
    NameNodeProcess.Exit exit = nameNode.awaitExit(LIMIT);
    assertThat(exit.code()).as(exit.output()).isNotZero();
    return exit.output();
  }

  /** A NameNode that has ended, as one of the others leads: for tests one after the other. */
  private static int ended() throws Exception {
    for (int i = 0; i < cluster.size(); i++) {
      if (!cluster.nameNode(i).isAlive()) {
        return i;
      }
    }
    int bad = (cluster.awaitLeader() + 1) % cluster.size();
    cluster.nameNode(bad).terminate();
    return bad;
  }

  /** The one that has ended takes part again, with what it has and its own settings. */
  private static void startEnded() throws Exception {
    cluster.startEnded();
    cluster.awaitFollowers();
  }

  /** On any of them. */
  private static void assertNothingIsLost(DirectoryMaker maker, int acknowledged) throws Exception {
    try (DistributedFileSystem fs = cluster.newFileSystem()) {
      assertThat(maker.missing(fs, acknowledged)).isEmpty();
    }
    NameNodeProcess.Exit check = cluster.nameNode(cluster.awaitLeader()).run("check");
    assertThat(check.output())
        .contains("The store is HEALTHY")
        .doesNotContain("NOT-CHECKED", "DAMAGE");
  }

  private static void moveAway(int nameNode, String name) throws IOException {
    Path of = cluster.nameFolder(nameNode);
    Files.move(of, of.resolveSibling(name));
  }

  private static void assertRefused(Consumer<Configuration> change, String sentence)
      throws Exception {
    try (DirectoryMaker maker = new DirectoryMaker(cluster, "/" + sentence.length())) {
      int bad = ended();
      Configuration site = cluster.site(bad);
      change.accept(site);
      cluster.nameNode(bad).configure(site);
      assertThat(refusal(cluster.nameNode(bad))).contains(sentence);
      cluster.nameNode(bad).configure(cluster.site(bad));
      maker.awaitMore(BEFORE);
    }
  }

  @Test
  void anEvenNumberOfMembersIsRefused() throws Exception {
    assertRefused(
        site -> site.set(MEMBERS, site.get(MEMBERS) + ",nn4=127.0.0.1:1"),
        "names 4 members. An even number survives no more failures");
  }

  @Test
  void anAddressThatDoesNotResolveIsRefused() throws Exception {
    assertRefused(
        site -> {
          String own = site.get("dfs.ha.namenode.id");
          String members = site.get(MEMBERS);
          site.set(MEMBERS, members.replaceAll(own + "=[^:]*:", own + "=nowhere.invalid:"));
        },
        "nowhere.invalid:");
  }

  /** It goes on with the members that it reaches. */
  @Test
  void anotherMembersAddressThatDoesNotResolveIsWarnedOf() throws Exception {
    int bad = ended();
    Configuration site = cluster.site(bad);
    String name = "nn" + (cluster.size() - bad - cluster.awaitLeader() + 1); // the third one
    site.set(MEMBERS, site.get(MEMBERS).replaceAll(name + "=[^:]*:", name + "=nowhere.invalid:"));
    cluster.nameNode(bad).configure(site);
    cluster.nameNode(bad).start();
    cluster.awaitFollowers();
    assertThat(String.join("\n", cluster.nameNode(bad).log()))
        .contains("The address of another member does not resolve")
        .contains("member=" + name);
    cluster.nameNode(bad).configure(cluster.site(bad));
  }

  @Test
  void aSecondNameNodeOfOneIdIsRefused() throws Exception {
    String leader = "nn" + (cluster.awaitLeader() + 1);
    assertRefused(
        site -> site.set("dfs.ha.namenode.id", leader), "Is another NameNode that has the same id");
  }

  @Test
  void aNameNodeOfAnotherClusterIsRefused() throws Exception {
    try (DirectoryMaker maker = new DirectoryMaker(cluster, "/cluster")) {
      int bad = ended();
      Path kept = cluster.nameFolder(bad).resolveSibling("kept");
      Files.move(cluster.nameFolder(bad), kept);
      NameNodeProcess.Exit format = cluster.nameNode(bad).format("CID-other");
      assertThat(format.code()).as(format.output()).isZero();
      assertThat(refusal(cluster.nameNode(bad))).contains(STRANGER);
      maker.awaitMore(BEFORE);
      Files.move(cluster.nameFolder(bad), kept.resolveSibling("other-cluster"));
      Files.move(kept, cluster.nameFolder(bad));
    }
  }

  @Test
  void aNameNodeWithANewerFormatIsRefused() throws Exception {
    DirectoryMaker maker = new DirectoryMaker(cluster, "/format");
    try (maker) {
      maker.awaitMore(BEFORE);
      int bad = ended();
      Path version = cluster.nameFolder(bad).resolve("current/VERSION");
      String own = Files.readString(version);
      Files.writeString(version, own.replaceAll("acaciaFormat=\\d+", "acaciaFormat=1000"));
      assertThat(refusal(cluster.nameNode(bad)))
          .contains(
              "The folder " + cluster.nameFolder(bad) + " has format 1000, and this version of")
          .contains(". Run a newer version");
      maker.awaitMore(BEFORE);
      Files.writeString(version, own);
    }
    startEnded();
    assertNothingIsLost(maker, maker.acknowledged());
  }

  /** It starts before the others, so nobody can warn it; what the others have is not applied. */
  @Test
  void aNameNodeWithARestoredFolderEndsWhenAnotherOneLeads() throws Exception {
    startEnded();
    int acknowledged;
    DirectoryMaker maker = new DirectoryMaker(cluster, "/restored");
    Path backup = folder.resolve("backup");
    try (maker) {
      maker.awaitMore(BEFORE);
      NameNodeProcess.Exit made = cluster.nameNode(0).run("backup", backup.toString());
      assertThat(made.code()).as(made.output()).isZero();
      maker.awaitMore(BEFORE);
    }
    acknowledged = maker.acknowledged();
    int bad = (cluster.awaitLeader() + 1) % cluster.size();
    cluster.terminate();
    moveAway(bad, "before");
    NameNodeProcess restored = cluster.nameNode(bad);
    NameNodeProcess.Exit restore = restored.run("restore", backup.toString());
    assertThat(restore.code()).as(restore.output()).isZero();
    restored.start();
    Await.until("its answer", LIMIT, () -> cluster.state(bad) != null);
    for (int i = 0; i < cluster.size(); i++) {
      if (i != bad) {
        cluster.nameNode(i).start();
      }
    }
    NameNodeProcess.Exit end = restored.awaitExit(LIMIT);
    assertThat(end.code()).isNotZero();
    assertThat(String.join("\n", restored.log())).contains(STRANGER);
    moveAway(bad, "restored");
    NameNodeProcess.Exit bootstrap = restored.run("bootstrap");
    assertThat(bootstrap.code()).as(bootstrap.output()).isZero();
    restored.start();
    cluster.awaitFollowers();
    assertNothingIsLost(maker, acknowledged);
  }
}
