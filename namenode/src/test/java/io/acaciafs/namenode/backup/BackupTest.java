package io.acaciafs.namenode.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.NameNode;
import io.acaciafs.namenode.store.StoreStatus;
import io.acaciafs.namenode.store.StoreToCheck;
import java.io.IOException;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was acknowledged before a backup comes back, and nothing half. */
class BackupTest {
  /** May be read by everybody, and written by nobody. */
  private static final java.nio.file.Path NOT_EVEN_FOR_ROOT =
      java.nio.file.Path.of("/proc/sys/kernel/ostype");

  private static final Path LEFT = new Path("/left");
  private static final Path RIGHT = new Path("/right");

  @TempDir private java.nio.file.Path folder;

  private final Configuration conf = new HdfsConfiguration();

  @BeforeEach
  void format() throws IOException {
    conf.set("dfs.namenode.name.dir", folder.resolve("name").toString());
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:0");
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    NameNode.format(conf, "CID-test", false);
  }

  private Configuration siteOf(NameNode nameNode) {
    Configuration site = new Configuration(conf);
    String address = "127.0.0.1:" + nameNode.rpcAddress().getPort();
    site.set("fs.defaultFS", "hdfs://" + address);
    site.set("dfs.namenode.rpc-address", address);
    return site;
  }

  private static FileSystem connect(Configuration site) throws IOException {
    return FileSystem.newInstance(URI.create(site.get("fs.defaultFS")), site);
  }

  /** Moves directories from left to right and back, one call at a time. */
  private static final class Mover implements Runnable {
    private final Configuration site;
    private final int number;
    private final AtomicBoolean isOver;
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    Mover(Configuration site, int number, AtomicBoolean isOver) {
      this.site = site;
      this.number = number;
      this.isOver = isOver;
    }

    Path made(Path parent, int i) {
      return new Path(parent, number + "-" + i);
    }

    @Override
    public void run() {
      Random random = new Random(number);
      try (FileSystem fs = connect(site)) {
        for (int i = 0; !isOver.get(); i++) {
          fs.mkdirs(made(LEFT, i));
          made.set(i + 1);
          int any = random.nextInt(i + 1);
          if (!fs.rename(made(LEFT, any), made(RIGHT, any))) {
            fs.rename(made(RIGHT, any), made(LEFT, any));
          }
        }
      } catch (IOException e) {
        failure.set(e);
      }
    }
  }

  @Test
  void restoredNameNodeHasAllThatWasAcknowledgedAndNothingHalf() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    List<Mover> movers = new ArrayList<>();
    int[] before = new int[3];
    java.nio.file.Path backup = folder.resolve("backup");
    try (NameNode nameNode = NameNode.start(conf)) {
      Configuration site = siteOf(nameNode);
      try (FileSystem fs = connect(site)) {
        fs.mkdirs(LEFT);
        fs.mkdirs(RIGHT);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < before.length; i++) {
          movers.add(new Mover(site, i, isOver));
          threads.add(new Thread(movers.get(i), "mover-" + i));
        }
        threads.forEach(Thread::start);
        while (movers.stream().anyMatch(mover -> mover.made.get() < 30)) {
          Thread.onSpinWait();
        }
        for (int i = 0; i < before.length; i++) {
          before[i] = movers.get(i).made.get();
        }
        assertThat(Backup.make(site, backup)).startsWith("Backed up to " + backup);
        fs.mkdirs(new Path("/later"));
        isOver.set(true);
        for (Thread thread : threads) {
          thread.join(30_000);
        }
        movers.forEach(mover -> assertThat(mover.failure).hasValue(null));
      }
    }

    conf.set("dfs.namenode.name.dir", folder.resolve("restored").toString());
    assertThat(Backup.restore(conf, backup)).contains("CID-test");
    try (NameNode nameNode = NameNode.start(conf);
        FileSystem fs = connect(siteOf(nameNode))) {
      assertThat(fs.exists(new Path("/later"))).isFalse();
      for (int i = 0; i < before.length; i++) {
        for (int n = 0; n < before[i]; n++) {
          assertThat(fs.exists(movers.get(i).made(LEFT, n)))
              .isNotEqualTo(fs.exists(movers.get(i).made(RIGHT, n)));
        }
      }
      assertThat(fs.listStatus(LEFT).length + fs.listStatus(RIGHT).length)
          .isEqualTo(fs.getContentSummary(new Path("/")).getDirectoryCount() - 3);
      assertThat(fs.mkdirs(new Path("/new"))).isTrue();
    }
  }

  @Test
  void idsThatMayHaveBeenGivenOutSinceAreNotGivenOutAgain() throws Exception {
    java.nio.file.Path backup = folder.resolve("backup");
    Backup.make(conf, backup);
    long since;
    try (NameNode nameNode = NameNode.start(conf);
        FileSystem fs = connect(siteOf(nameNode))) {
      since = idOfNewFile(fs);
    }
    conf.set("dfs.namenode.name.dir", folder.resolve("restored").toString());
    Backup.restore(conf, backup);
    try (NameNode nameNode = NameNode.start(conf);
        FileSystem fs = connect(siteOf(nameNode))) {
      assertThat(idOfNewFile(fs)).isGreaterThan(since);
    }
  }

  private static long idOfNewFile(FileSystem fs) throws IOException {
    Path file = new Path("/file");
    fs.create(file).close();
    return ((org.apache.hadoop.hdfs.protocol.HdfsFileStatus) fs.getFileStatus(file)).getFileId();
  }

  @Test
  void saysWhyItMakesNone() throws Exception {
    try (NameNode nameNode = NameNode.start(conf)) {
      Configuration site = siteOf(nameNode);
      java.nio.file.Path taken = Files.createDirectory(folder.resolve("taken"));
      assertThatThrownBy(() -> Backup.make(site, taken))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("The folder " + taken + " is there already");
      assertThatThrownBy(() -> Backup.make(site, folder.resolve("no/backup")))
          .hasMessageContaining("There is no folder " + folder.resolve("no"));
      assertThatThrownBy(() -> Backup.make(site, folder.resolve("name/backup")))
          .hasMessageContaining("lies in that of the NameNode");
      assertThatThrownBy(() -> Backup.make(site, java.nio.file.Path.of("backup")))
          .hasMessageContaining("named from its root");
      UserGroupInformation user = UserGroupInformation.createRemoteUser("somebody");
      assertThatThrownBy(
              () ->
                  user.doAs(
                      (PrivilegedExceptionAction<String>)
                          () -> Backup.make(site, folder.resolve("theirs"))))
          .isInstanceOf(AccessControlException.class);
      assertThat(folder.resolve("theirs")).doesNotExist();
    }
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("name", "taken");
  }

  @Test
  void aUserWhoMayNotWriteTheFolderAsksTheNameNode() throws Exception {
    java.nio.file.Path lock = folder.resolve("name/in_use.lock");
    try (NameNode nameNode = NameNode.start(conf)) {
      Files.delete(lock); // the NameNode keeps it open
      Files.createSymbolicLink(lock, NOT_EVEN_FOR_ROOT);
      Configuration site = siteOf(nameNode);
      java.nio.file.Path backup = folder.resolve("backup");
      assertThat(Backup.make(site, backup)).startsWith("Backed up to ");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(backup)))
          .as("it holds the keys of tokens")
          .isEqualTo("rwx------");
      assertThatThrownBy(() -> StoreToCheck.open(site, false))
          .isInstanceOf(AccessDeniedException.class);
      assertThat(StoreStatus.look(site).layout()).contains("may not write " + lock);
    }
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:1");
    assertThatThrownBy(() -> Backup.make(conf, folder.resolve("other")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No NameNode answers")
        .hasMessageContaining("this user may not write " + lock);
  }

  @Test
  void restoresIntoAnEmptyFolderOnly() throws Exception {
    java.nio.file.Path backup = folder.resolve("backup");
    Backup.make(conf, backup);
    try (NameNode nameNode = NameNode.start(conf);
        FileSystem fs = connect(siteOf(nameNode))) {
      assertThatThrownBy(() -> Backup.restore(conf, backup))
          .hasMessageContaining("already locked by another process");
      fs.mkdirs(new Path("/a"));
    }
    assertThatThrownBy(() -> Backup.restore(conf, backup)).hasMessageContaining("is not empty");
    assertThatThrownBy(() -> Backup.restore(conf, folder.resolve("name")))
        .hasMessageContaining("holds no backup");
    try (NameNode nameNode = NameNode.start(conf);
        FileSystem fs = connect(siteOf(nameNode))) {
      assertThat(fs.exists(new Path("/a"))).isTrue();
    }
    conf.set("dfs.namenode.name.dir", backup.toString());
    assertThatThrownBy(() -> NameNode.start(conf)).hasMessageContaining("is a backup");
  }
}
