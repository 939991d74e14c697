package io.acaciafs.namespace.op;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.BOB;
import static io.acaciafs.namespace.testkit.NamespaceFixture.CAROL;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static io.acaciafs.namespace.testkit.NamespaceFixture.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.op.attribute.CheckAccess;
import io.acaciafs.namespace.op.attribute.GetAclStatus;
import io.acaciafs.namespace.op.attribute.ModifyAclEntries;
import io.acaciafs.namespace.op.attribute.RemoveAcl;
import io.acaciafs.namespace.op.attribute.RemoveAclEntries;
import io.acaciafs.namespace.op.attribute.RemoveDefaultAcl;
import io.acaciafs.namespace.op.attribute.SetAcl;
import io.acaciafs.namespace.op.attribute.SetOwner;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.op.directory.Mkdirs;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.file.CreateFile;
import io.acaciafs.namespace.settings.FeatureSettings;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsCreateModes;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.AclException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AclTest {
  private NamespaceFixture fixture = new NamespaceFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static List<AclEntry> spec(String text) {
    return AclEntry.parseAclSpec(text, true);
  }

  private void modify(String path, String entries) throws IOException {
    fixture.run(new ModifyAclEntries(path, spec(entries)));
  }

  private void set(String path, String entries) throws IOException {
    fixture.run(new SetAcl(path, spec(entries)));
  }

  private void remove(String path, String entries) throws IOException {
    fixture.run(new RemoveAclEntries(path, AclEntry.parseAclSpec(entries, false)));
  }

  /** The entries beyond the permission bits, and the bits. */
  private String acl(String path) throws IOException {
    return fixture.run(new GetAclStatus(path)).getEntries().stream()
        .map(AclEntry::toString)
        .collect(Collectors.joining(",", "", " " + mode(path)));
  }

  private String mode(String path) throws IOException {
    return Integer.toOctalString(fixture.info(path).inode().attributes().mode());
  }

  private boolean mayRead(Caller caller, String path) throws IOException {
    try {
      fixture.run(caller, new CheckAccess(path, FsAction.READ));
      return true;
    } catch (AccessControlException e) {
      return false;
    }
  }

  @Test
  void theMaskIsTheUnionUnlessGiven() throws IOException {
    fixture.file(SUPERUSER, "/f", 0640);
    modify("/f", "user:bob:rwx");
    assertThat(acl("/f")).isEqualTo("user:bob:rwx,group::r-- 670");
    modify("/f", "mask::r--");
    assertThat(acl("/f")).isEqualTo("user:bob:rwx,group::r-- 640");
    modify("/f", "group:dev:-w-");
    assertThat(acl("/f")).isEqualTo("user:bob:rwx,group::r--,group:dev:-w- 670");
    fixture.crash();
    assertThat(acl("/f")).isEqualTo("user:bob:rwx,group::r--,group:dev:-w- 670");
  }

  @Test
  void removesEntriesWhateverTheyPermit() throws IOException {
    fixture.file(SUPERUSER, "/f", 0640);
    modify("/f", "user:bob:rwx,group:dev:-w-");
    remove("/f", "user:bob");
    assertThat(acl("/f")).isEqualTo("group::r--,group:dev:-w- 660");
    assertThatThrownBy(() -> remove("/f", "mask:"))
        .isInstanceOf(AclException.class)
        .hasMessage("Invalid ACL: mask is required and cannot be deleted. Path: /f");
    remove("/f", "group:dev,mask:");
    assertThat(acl("/f")).isEqualTo(" 640");
  }

  @Test
  void removingAllGivesTheGroupBackWhatItHad() throws IOException {
    fixture.file(SUPERUSER, "/f", 0640);
    modify("/f", "user:bob:rwx");
    fixture.run(new RemoveAcl("/f"));
    assertThat(acl("/f")).isEqualTo(" 640");
  }

  @Test
  void setReplacesOneScopeAndKeepsTheOther() throws IOException {
    fixture.mkdir("/d");
    set("/d", "default:user:bob:r--");
    assertThat(acl("/d"))
        .isEqualTo(
            "default:user::rwx,default:user:bob:r--,default:group::r-x,default:mask::r-x,"
                + "default:other::r-x 755");
    set("/d", "user::rwx,group::---,other::---,user:carol:r-x");
    assertThat(acl("/d"))
        .startsWith("user:carol:r-x,group::---,default:user::rwx,default:user:bob:r--")
        .endsWith(" 750");
    fixture.run(new RemoveDefaultAcl("/d"));
    assertThat(acl("/d")).isEqualTo("user:carol:r-x,group::--- 750");
    set("/d", "user::rwx,group::r-x,other::---");
    assertThat(acl("/d")).isEqualTo(" 750");
  }

  @Test
  void refusesWhatIsNoAcl() throws IOException {
    fixture.file("/f");
    assertThatThrownBy(() -> set("/f", "user:bob:rwx"))
        .isInstanceOf(AclException.class)
        .hasMessage("Invalid ACL: the user, group and other entries are required. Path: /f");
    assertThatThrownBy(() -> modify("/f", "user:bob:r--,user:bob:rwx"))
        .hasMessageContaining("multiple entries with same scope, type and name");
    assertThatThrownBy(() -> modify("/f", "default:user:bob:r--"))
        .hasMessageContaining("only directories may have a default ACL");
    String many =
        IntStream.range(0, 33)
            .mapToObj(i -> "user:u" + i + ":r--")
            .collect(Collectors.joining(","));
    assertThatThrownBy(() -> modify("/f", many))
        .hasMessageContaining("ACL has 33 access entries, which exceeds maximum of 32.");
    assertThatThrownBy(() -> modify("/none", "user:bob:r--"))
        .isInstanceOf(FileNotFoundException.class);
    assertThat(acl("/f")).isEqualTo(" 644");
  }

  @Test
  void onlyTheOwnerChangesIt() throws IOException {
    fixture.mkdir("/d");
    assertThatThrownBy(() -> fixture.run(BOB, new ModifyAclEntries("/d", spec("user:bob:rwx"))))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("is not the owner");
  }

  @Test
  void decidesWhoMayDoWhat() throws IOException {
    fixture.file(SUPERUSER, "/f", 0600);
    assertThat(mayRead(BOB, "/f")).isFalse();
    modify("/f", "user:bob:r--");
    assertThat(mayRead(BOB, "/f")).isTrue();
    assertThat(mayRead(ALICE, "/f")).isFalse();
    modify("/f", "group:staff:r--,user:bob:---,other::r--");
    assertThat(mayRead(BOB, "/f")).as("the entry that names him decides").isFalse();
    assertThat(mayRead(ALICE, "/f")).isTrue();
    assertThat(mayRead(CAROL, "/f")).isTrue();
    modify("/f", "mask::---");
    assertThat(mayRead(ALICE, "/f")).as("masked, and not one of the others").isFalse();
    assertThat(mayRead(CAROL, "/f")).isTrue();
  }

  @Test
  void theOwnerIsNotMasked() throws IOException {
    fixture.file("/f");
    fixture.run(new SetOwner("/f", "alice", "staff"));
    modify("/f", "user::r--,user:alice:---,mask::---");
    assertThat(mayRead(ALICE, "/f")).isTrue();
  }

  @Test
  void chmodChangesTheMask() throws IOException {
    fixture.file(SUPERUSER, "/f", 0640);
    modify("/f", "user:bob:rwx");
    fixture.run(new SetPermission("/f", new FsPermission((short) 0600)));
    assertThat(acl("/f")).isEqualTo("user:bob:rwx,group::r-- 600");
    assertThat(mayRead(BOB, "/f")).isFalse();
  }

  @Test
  void newEntriesInheritTheDefaultAcl() throws IOException {
    fixture.mkdir("/d");
    modify("/d", "default:user:bob:rwx");
    fixture.file(SUPERUSER, "/d/f", 0640);
    assertThat(acl("/d/f")).isEqualTo("user:bob:rwx,group::r-x 640");
    fixture.mkdir(SUPERUSER, "/d/x/y", 0700);
    assertThat(acl("/d/x/y"))
        .isEqualTo(
            "user:bob:rwx,group::r-x,default:user::rwx,default:user:bob:rwx,"
                + "default:group::r-x,default:mask::rwx,default:other::r-x 700");
    fixture.run(new Rename("/d/f", "/g"));
    assertThat(acl("/g")).isEqualTo("user:bob:rwx,group::r-x 640");
  }

  @Test
  void aMinimalDefaultAclOnlyLimitsTheMode() throws IOException {
    fixture.mkdir("/d");
    modify("/d", "default:user::rwx,default:group::r-x,default:other::---");
    fixture.file(SUPERUSER, "/d/f", 0666);
    assertThat(acl("/d/f")).isEqualTo(" 640");
  }

  @Test
  void aDefaultAclTakesThePlaceOfTheUmask() throws IOException {
    createWithUmask();
    assertThat(mode("/d/f")).isEqualTo("664");
    assertThat(mode("/d/x")).isEqualTo("775");
    fixture.close();
    FeatureSettings old = FeatureSettings.DEFAULTS.withAcls(true, false);
    fixture = new NamespaceFixture(new MemoryStore(), settings(4, 0).with(old), new ManualClock());
    createWithUmask();
    assertThat(mode("/d/f")).isEqualTo("600");
    assertThat(mode("/d/x")).isEqualTo("700");
  }

  private void createWithUmask() throws IOException {
    fixture.mkdir("/d");
    modify("/d", "default:user:bob:rwx");
    fixture.run(
        new CreateFile(
            "/d/f",
            FsCreateModes.create(new FsPermission((short) 0600), new FsPermission((short) 0666)),
            NamespaceFixture.CLIENT,
            EnumSet.of(CreateFlag.CREATE),
            true,
            (short) 3,
            1024));
    fixture.run(
        new Mkdirs(
            "/d/x",
            FsCreateModes.create(new FsPermission((short) 0700), new FsPermission((short) 0777)),
            true));
  }
}
