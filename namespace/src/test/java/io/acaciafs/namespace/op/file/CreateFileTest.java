package io.acaciafs.namespace.op.file;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static io.acaciafs.namespace.testkit.NamespaceFixture.create;
import static org.apache.hadoop.fs.CreateFlag.CREATE;
import static org.apache.hadoop.fs.CreateFlag.OVERWRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.op.directory.GetFileInfo;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.testkit.FakeBlocks;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException;
import org.apache.hadoop.hdfs.protocol.RecoveryInProgressException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class CreateFileTest extends OperationTest {
  @Test
  void opensANewFile() throws IOException {
    fs.clock.advanceMs(7);
    fs.mkdir("/d");
    FileInode file = (FileInode) fs.run(create("/d/f", 0640, CLIENT, CREATE)).inode();
    assertThat(file).isEqualTo(fs.fileAt("/d/f"));
    assertThat(file.isUnderConstruction()).isTrue();
    assertThat(file.writer().clientName()).isEqualTo(CLIENT);
    assertThat(file.attributes().mode()).isEqualTo((short) 0640);
    assertThat(file.attributes().modificationTimeMs()).isEqualTo(fs.clock.millis());
    assertThat(file.attributes().accessTimeMs()).isEqualTo(fs.clock.millis());
    assertThat(file.replication()).isEqualTo((short) 3);
    assertThat(file.preferredBlockSizeBytes()).isEqualTo(1024);
    assertThat(fs.rows(NamespaceKeys.OPEN_FILES)).isEqualTo(1);
  }

  @Test
  void missingDirectoriesTakeTheModeOfTheDeepestThatExists() throws IOException {
    fs.mkdir(SUPERUSER, "/d", 01457);
    fs.open("/d/a/b/f");
    assertThat(fs.info("/d/a").inode().attributes().mode()).isEqualTo((short) 0757);
    assertThat(fs.info("/d/a/b").inode().attributes().mode()).isEqualTo((short) 0757);
  }

  @Test
  void refusesADirectoryOrAFileOfThatName() throws IOException {
    fs.mkdir("/d");
    fs.file("/f");
    assertRefused(create("/d", 0644, CLIENT, CREATE, OVERWRITE))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage("/d already exists as a directory");
    assertRefused(create("/f", 0644, CLIENT, CREATE))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage("/f for client 10.0.0.1 already exists");
    assertRefused(create("/f/g", 0644, CLIENT, CREATE))
        .isInstanceOf(ParentNotDirectoryException.class);
  }

  @Test
  void overwritesInOneStepAndReleasesTheBlocks() throws IOException {
    fs.fileWithBlock("/f", 100);
    long old = fs.fileAt("/f").id();
    assertThat(FakeBlocks.ids(fs.store())).hasSize(1);
    long created = fs.run(create("/f", 0644, CLIENT, CREATE, OVERWRITE)).inode().id();
    assertThat(created).isNotEqualTo(old);
    assertThat(FakeBlocks.ids(fs.store())).isEmpty();
    assertThat(fs.info("/").children()).isEqualTo(1);
    assertRefused(new GetFileInfo("/.reserved/.inodes/" + old))
        .isInstanceOf(FileNotFoundException.class);
    assertThat(fs.damage(true)).isEmpty();
  }

  @Test
  void overwritingTakesAnOpenFileFromItsWriter() throws IOException {
    long old = fs.open("/f");
    fs.run(create("/f", 0644, "client_2", CREATE, OVERWRITE));
    assertRefused(new CompleteFile("/f", old, CLIENT, null))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage(
            "File does not exist: /f (inode "
                + old
                + ") Holder client_1 does not have any open files.");
    assertThat(fs.rows(NamespaceKeys.OPEN_FILES)).isEqualTo(1);
  }

  @Test
  void overwriteAloneNeedsAFile() {
    assertRefused(create("/f", 0644, CLIENT, OVERWRITE))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("Can't overwrite non-existent /f");
  }

  @Test
  void refusesAMissingParentWhenAsked() {
    assertRefused(
            new CreateFile(
                "/a/f",
                new FsPermission((short) 0644),
                CLIENT,
                EnumSet.of(CREATE),
                false,
                (short) 3,
                1024))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("Parent directory doesn't exist: /a");
  }

  @Test
  void needsToWriteTheParentAndTheFileItOverwrites() throws IOException {
    fs.mkdir("/d");
    assertRefused(ALICE, create("/d/f", 0644, CLIENT, CREATE))
        .isInstanceOf(AccessControlException.class)
        .hasMessage(
            "Permission denied: user=alice, access=WRITE,"
                + " inode=\"/d\":hdfs:supergroup:drwxr-xr-x");
    fs.run(new SetPermission("/d", new FsPermission((short) 0777)));
    fs.file("/d/f");
    assertRefused(ALICE, create("/d/f", 0644, CLIENT, CREATE, OVERWRITE))
        .isInstanceOf(AccessControlException.class)
        .hasMessage(
            "Permission denied: user=alice, access=WRITE,"
                + " inode=\"/d/f\":hdfs:supergroup:-rw-r--r--");
  }

  @Test
  void refusesPathsAndSizesThatCannotBe() {
    assertRefused(create("/a/../b", 0644, CLIENT, CREATE))
        .isInstanceOf(InvalidPathException.class)
        .hasMessage("Invalid path name /a/../b");
    assertRefused(create("/.reserved/x", 0644, CLIENT, CREATE))
        .isInstanceOf(InvalidPathException.class);
    assertRefused(sized((short) 3, 1023))
        .hasMessage(
            "Specified block size 1023 is less than configured minimum value"
                + " dfs.namenode.fs-limits.min-block-size=1024");
    assertRefused(sized((short) 513, 1024))
        .hasMessage(
            "Requested replication factor of 513 exceeds maximum of 512 for /f,"
                + " clientName=10.0.0.1");
    assertRefused(sized((short) 0, 1024))
        .hasMessage(
            "Requested replication factor of 0 is less than the required minimum of 1 for /f,"
                + " clientName=10.0.0.1");
  }

  private static CreateFile sized(short replication, long blockSizeBytes) {
    return new CreateFile(
        "/f",
        new FsPermission((short) 0644),
        CLIENT,
        EnumSet.of(CREATE),
        true,
        replication,
        blockSizeBytes);
  }

  // ---- leases

  @Test
  void refusesAFileThatAnotherClientWrites() throws IOException {
    fs.open("/f");
    assertRefused(create("/f", 0644, "client_2", CREATE))
        .isInstanceOf(AlreadyBeingCreatedException.class)
        .hasMessage(
            "Failed to CREATE_FILE /f for client_2 on 10.0.0.1 because this file lease is"
                + " currently owned by client_1 on 10.0.0.1");
    assertRefused(create("/f", 0644, CLIENT, CREATE))
        .isInstanceOf(AlreadyBeingCreatedException.class)
        .hasMessage(
            "Failed to CREATE_FILE /f for client_1 on 10.0.0.1 because client_1 is already the"
                + " current lease holder.");
  }

  @Test
  void closesAFileThatItsWriterHasLeftBehind() throws IOException {
    fs.open("/f");
    fs.clock.advanceMs(60_001);
    assertRefused(create("/f", 0644, "client_2", CREATE))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(fs.fileAt("/f").isUnderConstruction()).isFalse();
    assertThat(fs.rows(NamespaceKeys.OPEN_FILES)).isZero();
  }

  @Test
  void leavesAFileToAWriterWhoRenewsItsLease() throws IOException {
    fs.open("/f");
    fs.clock.advanceMs(50_000);
    fs.namespace().leases().renew(CLIENT);
    fs.clock.advanceMs(60_000);
    assertRefused(create("/f", 0644, "client_2", CREATE))
        .isInstanceOf(AlreadyBeingCreatedException.class);
  }

  @Test
  void waitsForTheRecoveryOfALastBlock() throws IOException {
    long id = fs.open("/f");
    fs.addBlock("/f", id, null);
    fs.clock.advanceMs(60_001);
    assertRefused(create("/f", 0644, "client_2", CREATE))
        .isInstanceOf(RecoveryInProgressException.class)
        .hasMessageEndingWith("because lease recovery is in progress. Try again later.");
  }

  // ---- concurrency

  @Test
  void seesAFileThatAnotherCreatedMeanwhile() throws IOException {
    assertThatThrownBy(
            () ->
                fs.runInterleaved(
                    SUPERUSER,
                    create("/f", 0644, "client_2", CREATE),
                    create("/f", 0644, CLIENT, CREATE)))
        .isInstanceOf(AlreadyBeingCreatedException.class);
    assertThat(fs.fileAt("/f").writer().clientName()).isEqualTo(CLIENT);
  }

  @Test
  void creatorsOfDifferentNamesDoNotMeet() throws IOException {
    int[] runs = {0};
    fs.runInterleaved(
        SUPERUSER,
        tree -> {
          runs[0]++;
          return create("/f", 0644, CLIENT, CREATE).run(tree);
        },
        create("/g", 0644, CLIENT, CREATE));
    assertThat(runs[0]).isEqualTo(1);
    assertThat(fs.list("/")).containsExactly("f", "g");
    assertThat(fs.info("/").children()).isEqualTo(2);
  }
}
