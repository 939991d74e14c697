package io.acaciafs.systemtests.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the dialogs of a file or a directory show is what is there, and what they set holds. */
class FileDialogsTest extends FilesConsoleTestBase {
  @BeforeAll
  static void start() throws Exception {
    start("file-dialogs");
  }

  @Test
  void ownerPermissionAndReplicationAreSet() throws Exception {
    browser.press("Actions: file").awaitText("Storage policy").glance("files-menu");
    browser.press("Owner").fill("owner", "alice").fill("group", "staff");
    browser.confirm("Set", "belongs to alice:staff");
    browser.choose("file", "Permission").fill("bits", "640").confirm("Set", "-rw-r-----");
    browser.choose("file", "Replication").fill("count", "2").confirm("Set", "2 replicas");

    FileStatus status = fs.getFileStatus(new Path(root, "file"));
    assertThat(status.getOwner() + ":" + status.getGroup()).isEqualTo("alice:staff");
    assertThat(status.getPermission().toShort()).isEqualTo((short) 0640);
    assertThat(status.getReplication()).isEqualTo((short) 2);
    assertThat(browser.text()).contains("-rw-r-----", "alice", "staff");
  }

  @Test
  void aclAttributesAndPolicyAreSet() throws Exception {
    browser
        .choose("file", "ACL")
        .fill("entries", "user::rw-\nuser:bob:r--\ngroup::---\nother::---");
    browser.confirm("Set", "new ACL");
    browser.choose("file", "Extended attributes").fill("name", "user.origin");
    browser.fill("value", "a \"b\" c").confirm("Set", "user.origin is set");
    browser.choose("file", "Storage policy").fill("chosen", "ALL_SSD").confirm("Set", "ALL_SSD");

    Path file = new Path(root, "file");
    assertThat(fs.getAclStatus(file).toString()).contains("user:bob:r--");
    assertThat(fs.getXAttr(file, "user.origin"))
        .isEqualTo("a \"b\" c".getBytes(StandardCharsets.UTF_8));
    assertThat(fs.getStoragePolicy(file).getName()).isEqualTo("ALL_SSD");

    browser.choose("file", "Extended attributes").fill("name", "user.origin");
    browser.fill("isGone", true).confirm("Set", "is removed");
    browser.choose("file", "Storage policy").fill("chosen", "").confirm("Set", "directory above");
    assertThat(fs.getXAttrs(file)).isEmpty();
    assertThat(fs.getFileStatus(file).isDirectory()).isFalse();
  }

  @Test
  void quotasAreSetAndTakenAway() throws Exception {
    fs.mkdirs(new Path(root, "limited"));
    console.open(root);
    browser.choose("limited", "Quota").fill("names", "10").fill("space", "1.5 GiB");
    browser.confirm("Set", "new quota");
    var usage = fs.getQuotaUsage(new Path(root, "limited"));
    assertThat(usage.getQuota()).isEqualTo(10);
    assertThat(usage.getSpaceQuota()).isEqualTo(3L << 29);

    browser.choose("limited", "Quota").fill("names", "").fill("space", "");
    browser.confirm("Set", "new quota");
    assertThat(fs.getQuotaUsage(new Path(root, "limited")).getQuota()).isNegative();
  }

  /** WebHDFS writes octal numbers without zeros before them. */
  @ParameterizedTest
  @CsvSource({
    "0, 000, user::--- group::--- other::---",
    "7, 007, user::--- group::--- other::rwx",
    "70, 070, user::--- group::rwx other::---",
    "1077, 1077, user::--- group::rwx other::rwx",
    "1007, 1007, user::--- group::--- other::rwx",
  })
  void aPermissionKeepsItsZeros(String octal, String shown, String entries) throws Exception {
    Path limited = new Path(root, "limited");
    fs.mkdirs(limited);
    FsPermission permission = new FsPermission(Short.parseShort(octal, 8));
    fs.setPermission(limited, permission);
    console.open(root);

    browser.choose("limited", "Permission");
    browser.awaitText("Octal, now");
    assertThat(field("bits")).isEqualTo(shown);
    browser.confirm("Set", "limited has the permission");
    assertThat(fs.getFileStatus(limited).getPermission()).isEqualTo(permission);

    browser.choose("limited", "ACL");
    browser.await(
        "return document.querySelector('dialog [name=entries]')?.value === arguments[0]",
        entries.replace(' ', '\n'));
    browser.confirm("Set", "new ACL");
    assertThat(fs.getFileStatus(limited).getPermission()).isEqualTo(permission);
  }

  @Test
  void quotasByTypeOfStorageAreSetAndTakenAwayWithoutTheOthers() throws Exception {
    Path limited = new Path(root, "limited");
    fs.mkdirs(limited);
    fs.setQuota(limited, 10, (1L << 60) + 1); // which a number of the browser does not tell apart
    console.open(root);
    browser.choose("limited", "Quota").fill("SSD", "2 GiB").fill("ARCHIVE", "1t");
    browser.confirm("Set", "new quota");
    QuotaUsage usage = fs.getQuotaUsage(limited);
    assertThat(usage.getTypeQuota(StorageType.SSD)).isEqualTo(2L << 30);
    assertThat(usage.getTypeQuota(StorageType.ARCHIVE)).isEqualTo(1L << 40);
    assertThat(usage.getQuota()).isEqualTo(10);
    assertThat(usage.getSpaceQuota()).isEqualTo((1L << 60) + 1);

    browser.choose("limited", "Quota").awaitText("Space on SSD");
    assertThat(field("SSD")).isEqualTo(String.valueOf(2L << 30));
    browser.fill("SSD", "").fill("names", "20").confirm("Set", "new quota");
    usage = fs.getQuotaUsage(limited);
    assertThat(usage.getTypeQuota(StorageType.SSD)).isNegative();
    assertThat(usage.getTypeQuota(StorageType.ARCHIVE)).isEqualTo(1L << 40);
    assertThat(usage.getQuota()).isEqualTo(20);
    assertThat(usage.getSpaceQuota()).isEqualTo((1L << 60) + 1);
  }

  /** HDFS gives the root the largest number of names, which is no limit. */
  @Test
  void theRootHasNoQuotaOfNamesAndTakesOneOfSpace() throws Exception {
    console.open(new Path("/"));
    browser.press("This directory \u22ef").press("Quota").awaitText("Space on SSD");
    assertThat(field("names")).isEqualTo("");
    browser.fill("space", "7 TiB").confirm("Set", "new quota");
    QuotaUsage usage = fs.getQuotaUsage(new Path("/"));
    assertThat(usage.getSpaceQuota()).isEqualTo(7L << 40);
    assertThat(usage.getQuota()).isEqualTo(Long.MAX_VALUE);
    fs.setQuota(new Path("/"), HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
  }

  @Test
  void valuesOfAttributesAreBytesAsSetfattrWritesThem() throws Exception {
    Path file = new Path(root, "file");
    fs.setXAttr(file, "user.bytes", new byte[] {(byte) 0xff, 1});
    fs.setXAttr(file, "user.digits", "0x12".getBytes(StandardCharsets.UTF_8));
    browser.choose("file", "Extended attributes");
    browser.awaitText("user.bytes = 0xff01").awaitText("user.digits = \"0x12\"");
    browser.press("Change user.bytes");
    assertThat(field("value")).isEqualTo("0xff01");
    browser.confirm("Set", "user.bytes is set");
    assertThat(fs.getXAttr(file, "user.bytes")).isEqualTo(new byte[] {(byte) 0xff, 1});

    browser.choose("file", "Extended attributes").press("Change user.digits");
    assertThat(field("value")).isEqualTo("\"0x12\"");
    browser.confirm("Set", "user.digits is set");
    assertThat(fs.getXAttr(file, "user.digits")).isEqualTo("0x12".getBytes(StandardCharsets.UTF_8));

    for (String value : List.of("\"a b\"", "0x612062", "0sYSBi", "a b")) {
      String name = "user.new" + value.length();
      browser.choose("file", "Extended attributes").fill("name", name).fill("value", value);
      browser.confirm("Set", name + " is set");
      assertThat(fs.getXAttr(file, name))
          .as(value)
          .isEqualTo("a b".getBytes(StandardCharsets.UTF_8));
    }
    browser.choose("file", "Extended attributes").fill("name", "user.odd").fill("value", "0x1");
    browser.press("Set").awaitText("an even number of hexadecimal digits");
  }

  private static Object field(String name) {
    return browser.run("return document.querySelector('dialog [name=" + name + "]').value");
  }
}
