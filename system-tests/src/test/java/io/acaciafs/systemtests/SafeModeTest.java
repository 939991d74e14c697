package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Safe mode as clients and administrators meet it. */
@Timeout(120)
class SafeModeTest {
  private static final String REASON =
      ". Name node is in safe mode.\n"
          + "It was turned on manually. Use \"hdfs dfsadmin -safemode leave\" to turn safe mode"
          + " off. NamenodeHostName:localhost";

  private static Cluster cluster;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws Exception {
    cluster = Cluster.builder("safe-mode").start();
    fs = cluster.fileSystem();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @AfterEach
  void leave() throws IOException {
    fs.setSafeMode(SafeModeAction.LEAVE);
  }

  /** A change that HDFS refuses with these words. */
  private record Change(String words, Call call) {
    interface Call {
      void run() throws Exception;
    }
  }

  @Test
  void changesAreRefusedInHdfssWords() throws Exception {
    Path file = new Path("/refused/file");
    new Content(1, 100).write(fs, file);
    fs.setXAttr(file, "user.a", new byte[1]);
    List<AclEntry> acl = AclEntry.parseAclSpec("user:bob:rwx", true);
    List<Change> changes =
        List.of(
            new Change("Cannot create directory /d", () -> fs.mkdirs(new Path("/d"))),
            new Change("Cannot create file/f", () -> fs.create(new Path("/f")).close()),
            new Change("Cannot delete /refused", () -> fs.delete(file.getParent(), true)),
            new Change("Cannot rename /refused/file", () -> fs.rename(file, new Path("/g"))),
            new Change(
                "Cannot set permission for /refused/file",
                () -> fs.setPermission(file, new FsPermission((short) 0600))),
            new Change("Cannot set owner for /refused/file", () -> fs.setOwner(file, "a", "b")),
            new Change("Cannot set times /refused/file", () -> fs.setTimes(file, 1, 1)),
            new Change(
                "Cannot set replication for /refused/file",
                () -> fs.setReplication(file, (short) 2)),
            new Change(
                "Cannot set storage policy for /refused/file",
                () -> fs.setStoragePolicy(file, "COLD")),
            new Change(
                "Cannot unset storage policy for /refused/file", () -> fs.unsetStoragePolicy(file)),
            new Change("Cannot set quota on /refused", () -> fs.setQuota(file.getParent(), 9, 9)),
            new Change(
                "Cannot modify ACL entries on /refused/file", () -> fs.modifyAclEntries(file, acl)),
            new Change(
                "Cannot remove ACL entries on /refused/file", () -> fs.removeAclEntries(file, acl)),
            new Change(
                "Cannot remove default ACL entries on /refused", () -> fs.removeDefaultAcl(file)),
            new Change("Cannot remove ACL on /refused/file", () -> fs.removeAcl(file)),
            new Change("Cannot set ACL on /refused/file", () -> fs.setAcl(file, acl)),
            new Change(
                "Cannot set XAttr on /refused/file",
                () -> fs.setXAttr(file, "user.b", new byte[1], EnumSet.of(XAttrSetFlag.CREATE))),
            new Change(
                "Cannot remove XAttr entry on /refused/file", () -> fs.removeXAttr(file, "user.a")),
            new Change(
                "Cannot renew lease for me",
                () -> fs.getClient().getNamenode().renewLease("me", List.of())));
    assertThat(fs.setSafeMode(SafeModeAction.ENTER)).isTrue();
    List<String> wrong = new ArrayList<>();
    for (Change change : changes) {
      Throwable refusal = catchThrowable(() -> change.call().run());
      String text =
          refusal instanceof RemoteException remote
              ? remote.unwrapRemoteException().getMessage()
              : String.valueOf(refusal);
      if (!text.contains("SafeModeException")
              && !String.valueOf(refusal).contains("SafeModeException")
          || !text.contains(change.words())
          || !text.contains(REASON)) {
        wrong.add(change.words() + " -> " + refusal);
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(fs.getFileStatus(file).getReplication()).isEqualTo((short) 1);
  }

  @Test
  void filesCanBeReadAndListed() throws Exception {
    Content content = new Content(2, 5000);
    Path file = new Path("/read/file");
    content.write(fs, file);
    fs.setSafeMode(SafeModeAction.ENTER);
    assertThat(Content.read(fs, file)).isEqualTo(content.bytes());
    assertThat(fs.listStatus(file.getParent())).hasSize(1);
    QuotaUsage usage = fs.getQuotaUsage(file.getParent());
    assertThat(usage.getFileAndDirectoryCount()).isEqualTo(2);
  }

  @Test
  void onlySuperusersSwitchIt() throws Exception {
    UserGroupInformation bob =
        UserGroupInformation.createUserForTesting("bob", new String[] {"people"});
    bob.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (FileSystem his = cluster.newFileSystem()) {
                DistributedFileSystem hdfs = (DistributedFileSystem) his;
                assertThat(hdfs.setSafeMode(SafeModeAction.GET)).isFalse();
                for (SafeModeAction action :
                    List.of(
                        SafeModeAction.ENTER, SafeModeAction.LEAVE, SafeModeAction.FORCE_EXIT)) {
                  assertThatThrownBy(() -> hdfs.setSafeMode(action))
                      .hasMessageContaining(
                          "Access denied for user bob. Superuser privilege is required");
                }
              }
              return null;
            });
  }

  @Test
  void shellSwitchesItAndWaits() throws Exception {
    assertThat(safemode("get")).isZero();
    assertThat(safemode("enter")).isZero();
    assertThat(fs.isInSafeMode()).isTrue();
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Future<Integer> waiting = other.submit(() -> safemode("wait"));
      assertThat(waiting.isDone()).isFalse();
      assertThat(safemode("leave")).isZero();
      assertThat(waiting.get()).isZero();
    } finally {
      other.shutdownNow();
    }
    assertThat(safemode("enter")).isZero();
    assertThat(safemode("forceExit")).isZero();
    assertThat(fs.isInSafeMode()).isFalse();
  }

  @Test
  void namespaceIsSavedInItOnly() throws Exception {
    assertThatThrownBy(() -> fs.saveNamespace())
        .hasMessageContaining("Safe mode should be turned ON in order to create namespace image.");
    fs.setSafeMode(SafeModeAction.ENTER);
    assertThat(fs.saveNamespace(0, 0)).isTrue();
  }

  @Test
  void writerGoesOnAfterIt() throws Exception {
    Path file = new Path("/writer/file");
    try (FSDataOutputStream out = fs.create(file)) {
      out.write(1);
      out.hflush();
      fs.setSafeMode(SafeModeAction.ENTER);
      out.write(2);
      out.hflush();
      fs.setSafeMode(SafeModeAction.LEAVE);
    }
    assertThat(fs.getFileStatus(file).getLen()).isEqualTo(2);
  }

  /** Nothing that was acknowledged after it, nothing lost from before it. */
  @Test
  void nothingChangesOnceItIsOn() throws Exception {
    fs.mkdirs(new Path("/busy"));
    CountDownLatch running = new CountDownLatch(1);
    ExecutorService other = Executors.newSingleThreadExecutor();
    try {
      Future<Integer> made =
          other.submit(
              () -> {
                for (int i = 0; ; i++) {
                  try {
                    fs.mkdirs(new Path("/busy/" + i));
                  } catch (IOException refused) {
                    return i;
                  }
                  running.countDown();
                }
              });
      running.await();
      fs.setSafeMode(SafeModeAction.ENTER);
      int count = fs.listStatus(new Path("/busy")).length;
      assertThat(made.get()).isEqualTo(count);
    } finally {
      other.shutdownNow();
    }
  }

  private static int safemode(String argument) throws Exception {
    return ToolRunner.run(
        cluster.clientConfiguration(), new DFSAdmin(), new String[] {"-safemode", argument});
  }
}
