package io.acaciafs.namespace.op;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.BOB;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static io.acaciafs.namespace.testkit.NamespaceFixture.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.op.attribute.GetAclStatus;
import io.acaciafs.namespace.op.attribute.GetXAttrs;
import io.acaciafs.namespace.op.attribute.ListXAttrs;
import io.acaciafs.namespace.op.attribute.RemoveXAttr;
import io.acaciafs.namespace.op.attribute.SetOwner;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.op.attribute.SetXAttr;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.settings.FeatureSettings;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.XAttrNotFoundException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class XAttrTest {
  private static final EnumSet<XAttrSetFlag> EITHER =
      EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE);

  private static final String HOME = "/home";

  private NamespaceFixture fixture = new NamespaceFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private static XAttr xattr(String name, String value) {
    return XAttrHelper.buildXAttr(
        name, value == null ? null : value.getBytes(StandardCharsets.UTF_8));
  }

  private void set(Caller caller, String path, String name, String value) throws IOException {
    fixture.run(caller, new SetXAttr(path, xattr(name, value), EITHER));
  }

  private List<XAttr> list(Caller caller, String path) throws IOException {
    return fixture.run(caller, new ListXAttrs(path));
  }

  @Test
  void keepsWhatWasSetUntilItIsRemoved() throws IOException {
    fixture.mkdir("/a");
    set(SUPERUSER, "/a", "user.one", "1");
    set(SUPERUSER, "/a", "user.empty", null);
    set(SUPERUSER, "/a", "user.one", "uno");
    fixture.crash();
    assertThat(list(SUPERUSER, "/a"))
        .containsExactlyInAnyOrder(xattr("user.one", "uno"), xattr("user.empty", null));
    fixture.run(new RemoveXAttr("/a", xattr("user.one", null)));
    assertThat(list(SUPERUSER, "/a")).containsExactly(xattr("user.empty", null));
    assertThatThrownBy(() -> fixture.run(new RemoveXAttr("/a", xattr("user.one", null))))
        .hasMessage("No matching attributes found for remove operation");
  }

  @Test
  void survivesARename() throws IOException {
    fixture.file("/a");
    set(SUPERUSER, "/a", "user.one", "1");
    fixture.run(new Rename("/a", "/b"));
    assertThat(list(SUPERUSER, "/b")).containsExactly(xattr("user.one", "1"));
  }

  @Test
  void createsAndReplacesOnlyAsAsked() throws IOException {
    fixture.file("/a");
    assertThatThrownBy(() -> setOnly(XAttrSetFlag.REPLACE)).isInstanceOf(IOException.class);
    setOnly(XAttrSetFlag.CREATE);
    assertThatThrownBy(() -> setOnly(XAttrSetFlag.CREATE)).isInstanceOf(IOException.class);
    setOnly(XAttrSetFlag.REPLACE);
    assertThat(list(SUPERUSER, "/a")).hasSize(1);
  }

  private void setOnly(XAttrSetFlag flag) throws IOException {
    fixture.run(new SetXAttr("/a", xattr("user.one", "1"), EnumSet.of(flag)));
  }

  @Test
  void findsByNameInTheOrderAskedFor() throws IOException {
    fixture.file("/a");
    set(SUPERUSER, "/a", "user.one", "1");
    set(SUPERUSER, "/a", "user.two", "2");
    XAttr one = xattr("user.one", null);
    XAttr two = xattr("user.two", null);
    assertThat(fixture.run(new GetXAttrs("/a", List.of(two, one))))
        .containsExactly(xattr("user.two", "2"), xattr("user.one", "1"));
    assertThatThrownBy(
            () -> fixture.run(new GetXAttrs("/a", List.of(one, xattr("user.three", null)))))
        .isInstanceOf(XAttrNotFoundException.class);
    assertThat(fixture.run(new GetXAttrs("/a", List.of()))).hasSize(2);
  }

  @Test
  void letsWritersSetAndReadersRead() throws IOException {
    fixture.file(SUPERUSER, "/tmp", 0640);
    fixture.run(new SetOwner("/tmp", "alice", null));
    assertThatThrownBy(() -> set(BOB, "/tmp", "user.a", "1"))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("access=WRITE");
    set(ALICE, "/tmp", "user.a", "1");
    assertThatThrownBy(() -> list(BOB, "/tmp")).hasMessageContaining("access=READ");
  }

  @Test
  void inADirectoryWithTheStickyBitOnlyItsOwnerSets() throws IOException {
    fixture.mkdir(HOME);
    fixture.run(new SetOwner(HOME, "alice", "staff"));
    fixture.run(new SetPermission(HOME, new FsPermission((short) 01777)));
    assertThatThrownBy(() -> set(BOB, HOME, "user.a", "1"))
        .hasMessageContaining("is not the owner");
    set(ALICE, HOME, "user.a", "1");
    assertThat(list(BOB, HOME)).hasSize(1);
  }

  @Test
  void trustedOnesAreForSuperusers() throws IOException {
    fixture.file("/tmp");
    set(SUPERUSER, "/tmp", "trusted.a", "1");
    assertThat(list(ALICE, "/tmp")).isEmpty();
    assertThat(list(SUPERUSER, "/tmp")).hasSize(1);
    assertThatThrownBy(
            () -> fixture.run(ALICE, new GetXAttrs("/tmp", List.of(xattr("trusted.a", null)))))
        .hasMessage("User doesn't have permission for xattr: trusted.a");
  }

  @Test
  void systemAndSecurityAreForNobody() throws IOException {
    fixture.file("/a");
    for (String name : List.of("system.a", "security.a", "raw.a")) {
      assertThatThrownBy(() -> set(SUPERUSER, "/a", name, "1"))
          .isInstanceOf(AccessControlException.class)
          .hasMessageContaining(name);
    }
  }

  @Test
  void rawOnesAreSeenBelowReservedRawAlone() throws IOException {
    fixture.file("/a");
    set(SUPERUSER, "/.reserved/raw/a", "raw.a", "1");
    assertThat(list(SUPERUSER, "/a")).isEmpty();
    assertThat(list(SUPERUSER, "/.reserved/raw/a")).containsExactly(xattr("raw.a", "1"));
  }

  @Test
  void theMarkAgainstSuperusersIsForFilesAndStays() throws IOException {
    fixture.file("/a");
    fixture.mkdir("/d");
    String mark = "security.hdfs.unreadable.by.superuser";
    assertThatThrownBy(() -> set(SUPERUSER, "/a", mark, "1")).hasMessageContaining("Values");
    assertThatThrownBy(() -> set(SUPERUSER, "/d", mark, null)).hasMessageContaining("on a file");
    set(SUPERUSER, "/a", mark, null);
    assertThatThrownBy(() -> fixture.run(new RemoveXAttr("/a", xattr(mark, null))))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("can not be deleted");
    assertThat(list(ALICE, "/a")).containsExactly(xattr(mark, null));
  }

  @Test
  void limitsNumberAndSize() throws IOException {
    fixture.file("/a");
    assertThatThrownBy(() -> set(SUPERUSER, "/a", "user.a", "x".repeat(16384)))
        .isInstanceOf(HadoopIllegalArgumentException.class)
        .hasMessageContaining("too big");
    for (int i = 0; i < 32; i++) {
      set(SUPERUSER, "/a", "user.a" + i, "x");
    }
    assertThatThrownBy(() -> set(SUPERUSER, "/a", "user.b", "x"))
        .hasMessageContaining("would exceed limit of 32");
    set(SUPERUSER, "/a", "user.a7", "y");
  }

  @Test
  void refusesWhatIsNotThereAndWhatIsSwitchedOff() throws IOException {
    assertThatThrownBy(() -> set(SUPERUSER, "/none", "user.a", "1"))
        .isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> list(SUPERUSER, "/none")).isInstanceOf(FileNotFoundException.class);
    fixture.close();
    FeatureSettings off = FeatureSettings.DEFAULTS.withAcls(false, true).withXAttrs(false);
    fixture = new NamespaceFixture(new MemoryStore(), settings(4, 0).with(off), new ManualClock());
    fixture.file("/a");
    assertThatThrownBy(() -> set(SUPERUSER, "/a", "user.a", "1"))
        .hasMessageContaining("dfs.namenode.xattrs.enabled");
    assertThatThrownBy(() -> fixture.run(new GetAclStatus("/a")))
        .hasMessageContaining("dfs.namenode.acls.enabled");
  }
}
