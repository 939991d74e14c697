package io.acaciafs.namespace.op.attribute;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class SetOwnerTest extends OperationTest {
  @Test
  void aSuperuserGivesAwayToNamesNeverSeenBefore() throws IOException {
    fs.file("/f");
    fs.run(new SetOwner("/f", "new_user", "new_group"));
    Inode.Attributes attributes = fs.info("/f").inode().attributes();
    assertThat(attributes.owner()).isEqualTo("new_user");
    assertThat(attributes.group()).isEqualTo("new_group");
    fs.crash();
    assertThat(fs.info("/f").inode().attributes()).isEqualTo(attributes);
  }

  @Test
  void whatIsNullStays() throws IOException {
    fs.mkdir("/d");
    fs.run(new SetOwner("/d", "alice", null));
    fs.run(new SetOwner("/d", null, "staff"));
    assertThat(fs.info("/d").inode().attributes().owner()).isEqualTo("alice");
    assertThat(fs.info("/d").inode().attributes().group()).isEqualTo("staff");
  }

  @Test
  void theOwnerChoosesAmongHisGroups() throws IOException {
    fs.file("/f");
    fs.run(new SetOwner("/f", "alice", null));
    fs.run(ALICE, new SetOwner("/f", "alice", "staff"));
    assertThat(fs.info("/f").inode().attributes().group()).isEqualTo("staff");
    assertRefused(ALICE, new SetOwner("/f", null, "dev"))
        .isInstanceOf(AccessControlException.class)
        .hasMessage("User alice does not belong to dev");
    assertRefused(ALICE, new SetOwner("/f", "bob", null))
        .isInstanceOf(AccessControlException.class)
        .hasMessage("User alice is not a super user (non-super user cannot change owner).");
    assertRefused(BOB, new SetOwner("/f", null, "dev"))
        .isInstanceOf(AccessControlException.class)
        .hasMessage("Permission denied. user=bob is not the owner of inode=/f");
  }

  @Test
  void refusesWhatIsNotThere() {
    assertRefused(new SetOwner("/x", "alice", null))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("Directory/File does not exist /x");
    assertRefused(new SetOwner("/.reserved", "alice", null))
        .isInstanceOf(InvalidPathException.class);
  }

  @Test
  void isCheckedEvenWhenPermissionsAreOff() throws IOException {
    use(
        new NamespaceFixture(
            new MemoryStore(), NamespaceFixture.settingsWithoutPermissions(), new ManualClock()));
    fs.file(ALICE, "/f", 0600);
    assertRefused(BOB, new SetOwner("/f", "bob", null)).isInstanceOf(AccessControlException.class);
    assertRefused(ALICE, new SetOwner("/f", "bob", null))
        .isInstanceOf(AccessControlException.class);
    fs.run(BOB, new Delete("/f", false));
  }
}
