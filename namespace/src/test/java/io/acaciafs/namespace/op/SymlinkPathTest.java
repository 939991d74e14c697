package io.acaciafs.namespace.op;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namespace.context.FileBlocks;
import io.acaciafs.namespace.op.attribute.CheckAccess;
import io.acaciafs.namespace.op.attribute.GetAclStatus;
import io.acaciafs.namespace.op.attribute.ListXAttrs;
import io.acaciafs.namespace.op.attribute.RemoveAcl;
import io.acaciafs.namespace.op.attribute.SetOwner;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.op.attribute.SetReplication;
import io.acaciafs.namespace.op.attribute.SetTimes;
import io.acaciafs.namespace.op.attribute.SetXAttr;
import io.acaciafs.namespace.op.block.AddBlock;
import io.acaciafs.namespace.op.directory.CreateSymlink;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.GetBatchedListing;
import io.acaciafs.namespace.op.directory.GetFileInfo;
import io.acaciafs.namespace.op.directory.GetLinkTarget;
import io.acaciafs.namespace.op.directory.GetListing;
import io.acaciafs.namespace.op.directory.Mkdirs;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.op.directory.Rename2;
import io.acaciafs.namespace.op.file.AppendFile;
import io.acaciafs.namespace.op.file.ConcatFiles;
import io.acaciafs.namespace.op.file.GetFile;
import io.acaciafs.namespace.op.lease.RecoverLease;
import io.acaciafs.namespace.op.policy.GetStoragePolicy;
import io.acaciafs.namespace.op.policy.SetStoragePolicy;
import io.acaciafs.namespace.op.quota.GetContentSummary;
import io.acaciafs.namespace.op.quota.GetQuotaUsage;
import io.acaciafs.namespace.op.quota.SetQuota;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.record.SymlinkInode;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operations whose path has a symbolic link on the way or at its end. */
class SymlinkPathTest extends OperationTest {
  private static final XAttr XATTR = new XAttr.Builder().setName("x").build();

  /** An operation by its path. */
  private record Asked(String name, Function<String, NamespaceOperation<?>> operation) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Those that let the client follow a link at the end of the path. */
  static Stream<Asked> resolving() {
    return Stream.of(
        new Asked("getFileInfo", GetFileInfo::new),
        new Asked("getListing", path -> new GetListing(path, new byte[0], false)),
        new Asked("getFile", path -> new GetFile(path, FsAction.READ)),
        new Asked("checkAccess", path -> new CheckAccess(path, FsAction.READ)),
        new Asked("create", path -> NamespaceFixture.create(path, 0644, "c", CreateFlag.CREATE)),
        new Asked("append", path -> new AppendFile(path, "c", false)),
        new Asked("mkdirs", path -> new Mkdirs(path, FsPermission.getDefault(), true)),
        new Asked("setPermission", path -> new SetPermission(path, FsPermission.getDefault())),
        new Asked("setOwner", path -> new SetOwner(path, "u", "g")),
        new Asked("setTimes", path -> new SetTimes(path, 1, 1)),
        new Asked("setReplication", path -> new SetReplication(path, (short) 1)),
        new Asked("setQuota", path -> new SetQuota(path, 1, 1, null)),
        new Asked("setStoragePolicy", path -> new SetStoragePolicy(path, "HOT")),
        new Asked("getAclStatus", GetAclStatus::new),
        new Asked("removeAcl", RemoveAcl::new),
        new Asked("listXAttrs", ListXAttrs::new),
        new Asked("setXAttr", path -> new SetXAttr(path, XATTR, EnumSet.of(XAttrSetFlag.CREATE))),
        new Asked("concat", path -> new ConcatFiles(path, List.of("/d/file"))),
        new Asked("recoverLease", path -> new RecoverLease(path, "c")),
        new Asked("addBlock", path -> new AddBlock(path, 0, "c", null, FileBlocks.Wishes.NONE)));
  }

  /** Those that mean the link itself. */
  static Stream<Asked> meaningTheLink() {
    return Stream.of(
        new Asked("delete", path -> new Delete(path, true)),
        new Asked("rename", path -> new Rename(path, "/new")),
        new Asked("rename2", path -> new Rename2(path, "/new", EnumSet.noneOf(RENAME))),
        new Asked("getContentSummary", GetContentSummary::new),
        new Asked("getQuotaUsage", GetQuotaUsage::new),
        new Asked("getFileLinkInfo", path -> new GetFileInfo(path, PathUse.READ_LINK)),
        new Asked("getLinkTarget", GetLinkTarget::new));
  }

  private static final Class<Options.Rename> RENAME = Options.Rename.class;

  @BeforeEach
  void makeLinks() throws IOException {
    fs.fileWithBlock("/d/file", 100);
    link("/d/file", "/d/toFile");
    link("d", "/toDirectory");
  }

  private void link(String target, String link) throws IOException {
    fs.run(new CreateSymlink(target, link, FsPermission.getDefault(), true));
  }

  private void assertLeads(NamespaceOperation<?> operation, String to) {
    assertThatThrownBy(() -> fs.run(operation))
        .isInstanceOf(UnresolvedPathException.class)
        .hasMessage(to);
  }

  @ParameterizedTest
  @MethodSource("resolving")
  void toldWhereALinkAtTheEndLeads(Asked asked) {
    assertLeads(asked.operation.apply("/d/toFile"), "/d/file");
  }

  @ParameterizedTest
  @MethodSource("meaningTheLink")
  void aLinkAtTheEndIsMeantItself(Asked asked) throws IOException {
    assertThat(fs.run(asked.operation.apply("/d/toFile"))).isNotEqualTo(false);
    assertThat(fs.exists("/d/file")).isTrue();
  }

  @ParameterizedTest
  @MethodSource("resolving")
  void toldWhereALinkOnTheWayLeads(Asked asked) {
    assertLeads(asked.operation.apply("/toDirectory/toFile"), "/d/toFile");
  }

  @ParameterizedTest
  @MethodSource("meaningTheLink")
  void toldSoToo(Asked asked) throws IOException {
    if (asked.name.equals("getLinkTarget")) {
      assertThat(fs.run(new GetLinkTarget("/toDirectory/toFile"))).isEqualTo("/d/toFile");
    } else {
      assertLeads(asked.operation.apply("/toDirectory/toFile"), "/d/toFile");
    }
  }

  @Test
  void thePathToALinkMustBeTraversable() throws IOException {
    fs.run(new SetPermission("/d", new FsPermission((short) 0700)));
    assertRefused(ALICE, new GetFileInfo("/d/toFile")).isInstanceOf(AccessControlException.class);
    assertThatThrownBy(() -> fs.run(ALICE, new GetFileInfo("/toDirectory/file")))
        .isInstanceOf(UnresolvedPathException.class);
  }

  @Test
  void listingsShowLinks() throws IOException {
    assertThat(fs.run(new GetListing("/d", new byte[0], true)).entries())
        .filteredOn(entry -> entry.inode() instanceof SymlinkInode)
        .singleElement()
        .extracting(entry -> ((SymlinkInode) entry.inode()).target())
        .isEqualTo("/d/file");
    GetBatchedListing.Batch batch =
        fs.run(new GetBatchedListing(List.of("/toDirectory", "/d"), 0, new byte[0], false));
    assertThat(batch.listings().get(0).refusal()).isInstanceOf(UnresolvedPathException.class);
    assertThat(batch.listings().get(1).page().entries()).hasSize(2);
  }

  @Test
  void summariesCountLinksAsFilesWithoutBytes() throws IOException {
    ContentSummary summary = fs.run(new GetContentSummary("/d"));
    assertThat(summary.getFileCount()).isEqualTo(2);
    assertThat(summary.getDirectoryCount()).isEqualTo(1);
    assertThat(summary.getLength()).isEqualTo(100);
    ContentSummary ofLink = fs.run(new GetContentSummary("/d/toFile"));
    assertThat(ofLink.getFileCount()).isEqualTo(1);
    assertThat(ofLink.getLength()).isZero();
    assertThat(ofLink.getErasureCodingPolicy()).isEmpty();
  }

  @Test
  void linksHaveNoStoragePolicyAndNoBlockSize() throws IOException {
    fs.run(new SetStoragePolicy("/d", "COLD"));
    assertRefused(new GetStoragePolicy("/d/toFile"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(fs.run(new GetFileInfo("/d/toFile", PathUse.READ_LINK)).storagePolicyId()).isZero();
    assertRefused(new GetFile("/d/toFile", FsAction.NONE, PathUse.READ_LINK))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("Path is not a file: /d/toFile");
  }

  @Test
  void aLinkIsNotRenamedToItsTarget() throws IOException {
    fs.run(new Delete("/d/file", false));
    assertThat(fs.run(new Rename("/d/toFile", "/d/file"))).isFalse();
    assertRefused(new Rename2("/d/toFile", "/d/file", EnumSet.noneOf(RENAME)))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage("Cannot rename symlink /d/toFile to its target /d/file");
  }

  @Test
  void renamesReplaceALinkAndNotWhatItLeadsTo() throws IOException {
    long other = fs.file("/other");
    assertThat(fs.run(new Rename("/other", "/toDirectory"))).isFalse();
    fs.run(new Rename2("/other", "/toDirectory", EnumSet.of(Options.Rename.OVERWRITE)));

    assertThat(fs.info("/toDirectory").inode().id()).isEqualTo(other);
    assertThat(fs.list("/d")).containsExactly("file", "toFile");
    assertThat(fs.damage(true)).isEmpty();
  }

  @Test
  void whatMakesNoPathIsRefused() throws IOException {
    link("no:path", "/odd");
    assertRefused(new GetFileInfo("/odd")).isInstanceOf(IllegalArgumentException.class);
    assertRefused(new GetFileInfo("/toDirectory/a:b")).isInstanceOf(IllegalArgumentException.class);

    assertThat(fs.run(new GetLinkTarget("/odd"))).isEqualTo("no:path");
    assertThat(fs.run(new Delete("/odd", false))).isTrue();
  }

  @Test
  void aDirectoryThatBecameALinkIsNotTakenFromMemory() throws IOException {
    fs.file(SUPERUSER, "/d/below/file", 0644);
    assertThat(fs.exists("/d/below/file")).isTrue();
    fs.run(new Rename("/d/below", "/moved"));
    link("/moved", "/d/below");

    assertLeads(new GetFileInfo("/d/below/file"), "/moved/file");
  }
}
