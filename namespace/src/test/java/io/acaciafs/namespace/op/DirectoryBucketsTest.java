package io.acaciafs.namespace.op;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static io.acaciafs.namespace.testkit.NamespaceFixture.create;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namespace.op.attribute.GetXAttrs;
import io.acaciafs.namespace.op.attribute.ListXAttrs;
import io.acaciafs.namespace.op.attribute.RemoveXAttr;
import io.acaciafs.namespace.op.attribute.SetTimes;
import io.acaciafs.namespace.op.attribute.SetXAttr;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.GetFileInfo;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.directory.Rename2;
import io.acaciafs.namespace.op.quota.GetContentSummary;
import io.acaciafs.namespace.op.quota.SetQuota;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Directories of several buckets, asked for by an extended attribute. */
class DirectoryBucketsTest {
  private static final String NAME = "user.acacia.buckets";

  private final NamespaceFixture fixture = new NamespaceFixture();

  @BeforeEach
  void makeDirectory() throws IOException {
    fixture.mkdir("/d");
  }

  @AfterEach
  void close() {
    fixture.sweep();
    assertThat(fixture.damage(true)).isEmpty();
    fixture.close();
  }

  private static XAttr xattr(String value) {
    return XAttrHelper.buildXAttr(
        NAME, value == null ? null : value.getBytes(StandardCharsets.UTF_8));
  }

  private static SetXAttr set(String path, String value) {
    return new SetXAttr(path, xattr(value), EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }

  private String shown(String path) throws IOException {
    List<XAttr> xattrs = fixture.run(new GetXAttrs(path, List.of(xattr(null))));
    return new String(xattrs.get(0).getValue(), StandardCharsets.UTF_8);
  }

  private int buckets(String path) throws IOException {
    return ((DirectoryInode) fixture.info(path).inode()).buckets().count();
  }

  private List<String> fill(String path, int files) throws IOException {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      names.add("f" + 100 * i);
      fixture.file(path + "/" + names.get(i));
    }
    names.sort(null);
    return names;
  }

  private long bucketsInUse() {
    return fixture.keys(NamespaceKeys.ENTRIES).stream()
        .filter(NamespaceKeys::isEntry)
        .map(NamespaceKeys::bucketOf)
        .distinct()
        .count();
  }

  @Test
  void entriesSpreadAndAreListedInOrder() throws IOException {
    fixture.run(set("/d", "8"));
    assertThat(shown("/d")).isEqualTo("8");
    List<String> names = fill("/d", 40);
    assertThat(bucketsInUse()).isEqualTo(8);
    assertThat(fixture.list("/d")).isEqualTo(names);
    assertThat(fixture.info("/d").children()).isEqualTo(40);
    assertThat(fixture.run(new GetContentSummary("/")).getFileCount()).isEqualTo(40);
    for (String name : names) {
      assertThat(fixture.exists("/d/" + name)).isTrue();
    }
    assertThat(fixture.exists("/d/none")).isFalse();
  }

  @Test
  void namesAreOrderedBySignedBytes() throws IOException {
    fixture.run(set("/d", "16"));
    List<String> inOrder = List.of("\u00e9a", "\u00fc", "A", "a", "aa", "a\u00e9", "aB", "b", "~");
    for (String name : inOrder) {
      fixture.file("/d/" + name);
    }
    fixture.mkdir("/one");
    for (String name : inOrder) {
      fixture.file("/one/" + name);
    }
    assertThat(fixture.list("/d"))
        .isEqualTo(fixture.list("/one"))
        .containsExactlyInAnyOrderElementsOf(inOrder);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "1025", "many", "", "4096", "99999999999", " 4", "4.0"})
  void whatIsNoNumberOfBucketsIsRefused(String value) throws IOException {
    assertThatThrownBy(() -> fixture.run(set("/d", value)))
        .isInstanceOf(HadoopIllegalArgumentException.class)
        .hasMessageContaining("from 1 to 1024")
        .hasMessageContaining(NAME);
    assertThat(fixture.run(new ListXAttrs("/d"))).isEmpty();
  }

  @Test
  void othersThanPowersOfTwoAreRoundedUpAndShownSo() throws IOException {
    fixture.run(set("/d", "600"));
    assertThat(shown("/d")).isEqualTo("1024");
    fixture.run(set("/d", "9"));
    assertThat(shown("/d")).isEqualTo("16");
    fixture.run(set("/d", "1"));
    assertThat(shown("/d")).isEqualTo("1");
    assertThat(buckets("/d")).isEqualTo(1);
  }

  @Test
  void aDirectoryThatHoldsSomethingKeepsItsBuckets() throws IOException {
    fixture.run(set("/d", "4"));
    fixture.file("/d/f");
    assertThatThrownBy(() -> fixture.run(set("/d", "8")))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "The number of buckets can be changed only while a directory is empty: /d has 4 and"
                + " holds something");
    assertThatThrownBy(() -> fixture.run(new RemoveXAttr("/d", xattr(null))))
        .hasMessageContaining("while a directory is empty");
    fixture.run(set("/d", "3"));
    assertThat(shown("/d")).isEqualTo("4");
    fixture.run(new Delete("/d/f", false));
    fixture.run(set("/d", "8"));
    assertThat(buckets("/d")).isEqualTo(8);
  }

  @Test
  void aDirectoryWithoutTheAttributeCountsAsOneBucket() throws IOException {
    fixture.file("/d/f");
    fixture.run(set("/d", "1"));
    assertThatThrownBy(() -> fixture.run(set("/d", "2")))
        .hasMessageContaining("/d has 1 and holds something");
  }

  @Test
  void removingTheAttributeTakesItBack() throws IOException {
    fixture.run(set("/d", "8"));
    fill("/d", 10);
    fixture.clock.advanceMs(1000);
    for (String name : fixture.list("/d")) {
      fixture.run(new Delete("/d/" + name, false));
    }
    long modifiedMs = fixture.info("/d").modificationTimeMs();
    fixture.clock.advanceMs(1000);
    fixture.run(new RemoveXAttr("/d", xattr(null)));
    assertThat(buckets("/d")).isEqualTo(1);
    assertThat(fixture.info("/d").modificationTimeMs()).isEqualTo(modifiedMs);
    assertThat(fixture.info("/d").children()).isZero();
    fill("/d", 3);
    assertThat(fixture.list("/d")).hasSize(3);
  }

  @Test
  void aFileHasNone() throws IOException {
    fixture.file("/f");
    assertThatThrownBy(() -> fixture.run(set("/f", "4")))
        .hasMessage("Only a directory has buckets; user.acacia.buckets cannot be set on /f");
  }

  @Test
  void whoMayNotWriteMayNotSetIt() {
    assertThatThrownBy(() -> fixture.run(ALICE, set("/d", "4")))
        .isInstanceOf(AccessControlException.class);
  }

  @Test
  void theRootMayHaveThem() throws IOException {
    fixture.run(new Delete("/d", true));
    fixture.run(set("/", "4"));
    fill("/", 0);
    fixture.mkdir("/x/y");
    fixture.file("/z");
    assertThat(fixture.list("/")).containsExactly("x", "z");
    fixture.run(new Rename("/z", "/x/y"));
    assertThat(fixture.list("/x/y")).containsExactly("z");
  }

  @Test
  void renamesInsideIntoAndOutOf() throws IOException {
    fixture.run(set("/d", "16"));
    fixture.mkdir("/e");
    fixture.file("/d/a");
    fixture.run(new Rename("/d/a", "/d/b"));
    fixture.run(new Rename("/d/b", "/e/c"));
    fixture.run(new Rename("/e/c", "/d/d"));
    fixture.file("/d/e");
    fixture.run(new Rename2("/d/e", "/d/d", EnumSet.of(Options.Rename.OVERWRITE)));
    assertThat(fixture.list("/d")).containsExactly("d");
    fixture.run(new Rename("/d", "/e/d"));
    assertThat(fixture.list("/e/d")).containsExactly("d");
    assertThat(fixture.info("/e/d").children()).isEqualTo(1);
  }

  @Test
  void aFileIsFoundByItsId() throws IOException {
    fixture.run(set("/d", "64"));
    long id = fixture.open("/d/open");
    String path = fixture.run(tree -> tree.resolve(id).toString());
    assertThat(path).isEqualTo("/d/open");
    path = fixture.run(tree -> tree.peekPath(id).path());
    assertThat(path).isEqualTo("/d/open");
    assertThat(fixture.run(new GetFileInfo("/.reserved/.inodes/" + id, PathUse.READ))).isNotNull();
  }

  @Test
  void onlyAnEmptyOneIsRemovedWithoutForce() throws IOException {
    fixture.run(set("/d", "32"));
    fixture.file("/d/x");
    assertThatThrownBy(() -> fixture.run(new Delete("/d", false)))
        .isInstanceOf(PathIsNotEmptyDirectoryException.class);
    fixture.run(new Delete("/d/x", false));
    assertThat(fixture.run(new Delete("/d", false))).isTrue();
    fixture.sweep();
    assertThat(fixture.keys(NamespaceKeys.ENTRIES)).as("the root, and its counters").hasSize(2);
  }

  /** In whichever bucket the entry is. */
  @Test
  void aDirectoryThatGetsAnEntryMeanwhileIsNotRemoved() throws IOException {
    for (int i = 0; i < 20; i++) {
      String path = "/dir" + i;
      String file = path + "/f" + i;
      fixture.mkdir(path);
      fixture.run(set(path, "16"));
      assertThatThrownBy(
              () ->
                  fixture.runInterleaved(
                      SUPERUSER,
                      new Delete(path, false),
                      create(file, 0644, CLIENT, CreateFlag.CREATE)))
          .isInstanceOf(PathIsNotEmptyDirectoryException.class);
      assertThat(fixture.exists(file)).isTrue();
    }
  }

  @Test
  void anEntryThatComesWhileTheBucketsChangeIsNotLost() throws IOException {
    assertThatThrownBy(
            () ->
                fixture.runInterleaved(
                    SUPERUSER, set("/d", "16"), create("/d/f", 0644, CLIENT, CreateFlag.CREATE)))
        .hasMessageContaining("while a directory is empty");
    fixture.run(new Delete("/d/f", false));
    fixture.runInterleaved(
        SUPERUSER, create("/d/g", 0644, CLIENT, CreateFlag.CREATE), set("/d", "16"));
    assertThat(fixture.list("/d")).containsExactly("g");
  }

  @Test
  void everythingBelowIsRemovedInSteps() throws IOException {
    fixture.mkdir("/d/sub");
    fixture.run(set("/d/sub", "128"));
    fill("/d/sub", 300);
    fixture.mkdir("/d/sub/deeper");
    fixture.run(set("/d/sub/deeper", "4"));
    fill("/d/sub/deeper", 20);
    fixture.run(new Delete("/d", true));
    fixture.crash();
    fixture.sweep();
    assertThat(fixture.keys(NamespaceKeys.ENTRIES)).hasSize(2);
    assertThat(fixture.rows(NamespaceKeys.INODES)).isZero();
    assertThat(fixture.rows(NamespaceKeys.JOBS)).isZero();
  }

  @Test
  void settingTheTimeOfADirectoryCountsForAllBuckets() throws IOException {
    fixture.run(set("/d", "8"));
    fill("/d", 20);
    fixture.run(new SetTimes("/d", 5, -1));
    assertThat(fixture.info("/d").modificationTimeMs()).isEqualTo(5);
    assertThat(fixture.info("/d").children()).isEqualTo(20);
  }

  @Test
  void aQuotaCountsAllBuckets() throws IOException {
    fixture.run(set("/d", "8"));
    fill("/d", 10);
    fixture.run(new SetQuota("/d", 12, Long.MAX_VALUE, null));
    fixture.file("/d/eleventh");
    assertThatThrownBy(() -> fixture.file("/d/twelfth")).hasMessageContaining("quota");
  }
}
