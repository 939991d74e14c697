package io.acaciafs.systemtests.sidebyside;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CompleteResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ExtendedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.HdfsFileStatusProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * A small tree, {@code /t}, for all kinds of calls: files that are closed, open, with a block, or
 * of another user; directories with permissions, quotas, or the sticky bit. The test makes each
 * entry anew when a call may have changed it.
 */
final class FixtureTree {
  static final String ALICE = "alice";
  static final String BOB = "bob";

  /** Both in its one group. */
  static final String GROUPS = ALICE + "=staff;" + BOB + "=staff;dr.who=";

  private static final int BLOCK_BYTES = 1000;
  private static final int COMPLETE_LIMIT = 10_000;

  /** Paths by which one gets at everything. */
  private static final Pattern EVERYTHING =
      Pattern.compile("['=](/*|\\.|/t/?|/\\.reserved(/raw(/t?)?)?)(?=['\\],])");

  private final Side side;
  private final String superuser;
  private final Map<String, Part> parts = new LinkedHashMap<>();

  @FunctionalInterface
  private interface Part {
    void make() throws IOException;
  }

  FixtureTree(Side side, String superuser) {
    this.side = side;
    this.superuser = superuser;
    parts.put("file", () -> remember("fileId", file("/t/file")));
    parts.put("dir", this::dir);
    parts.put("empty", () -> directory("/t/empty", 0755));
    parts.put("secret", this::secret);
    parts.put("unreadable", () -> mode(file("/t/unreadable"), 0600));
    parts.put("wide", () -> directory("/t/wide", 0777));
    parts.put("sticky", this::sticky);
    parts.put("alice", this::alice);
    parts.put("names", () -> limited("/t/names", "namespaceQuota: 1 storagespaceQuota: $no"));
    parts.put("space", this::space);
    parts.put(
        "types",
        () -> limited("/t/types", "namespaceQuota: $no storagespaceQuota: 1 storageType: DISK"));
    parts.put("acl", this::acl);
    parts.put("xattr", this::xattr);
    parts.put("data", this::data);
    parts.put("open", this::open);
    side.values().put("registration", oneLine(side.datanode().registration()));
    side.values().put("no", String.valueOf(Long.MAX_VALUE));
  }

  /** Removes what is there and makes it anew. */
  void build() throws IOException {
    restoreRoot();
    for (HdfsFileStatusProto entry :
        ((GetListingResponseProto) run("getListing", "src: '/' startAfter: '' needLocation: false"))
            .getDirList()
            .getPartialListingList()) {
      remove("/" + entry.getPath().toStringUtf8());
    }
    directory("/t", 0755);
    for (Part part : parts.values()) {
      part.make();
    }
  }

  /** Makes anew what a request may have changed: the parts that it speaks of. */
  void restoreAfter(String text) throws IOException {
    if (EVERYTHING.matcher(text).find()) {
      build();
      return;
    }
    for (String name : touched(text)) {
      remove("/t/" + name);
      if (parts.containsKey(name)) {
        parts.get(name).make();
      }
    }
  }

  private List<String> touched(String text) {
    List<String> touched = new ArrayList<>(List.of("absent", "rel"));
    touched.removeIf(name -> !text.contains("/" + name));
    for (String name : parts.keySet()) {
      if (text.matches("(?s).*(/t/|\\$|/)" + name + "(Id|Block|\\b).*")) {
        touched.add(name);
      }
    }
    return touched;
  }

  private void remove(String path) {
    run("delete", "src: '" + path + "' recursive: true");
  }

  /** Regardless of earlier calls. */
  private void restoreRoot() {
    run("removeAcl", "src: '/'");
    mode("/", 0755);
    run("setOwner", "src: '/' username: '" + superuser + "' groupname: 'supergroup'");
    run("unsetStoragePolicy", "src: '/'");
    run(
        "setQuota",
        "path: '/' namespaceQuota: 9223372036854775806 storagespaceQuota: 18446744073709551615");
  }

  private void dir() {
    directory("/t/dir", 0755);
    file("/t/dir/child");
    remember("dirId", "/t/dir");
  }

  private void secret() {
    directory("/t/secret", 0700);
    file("/t/secret/file");
    directory("/t/secret/dir", 0755);
  }

  private void sticky() {
    directory("/t/sticky", 01777);
    file("/t/sticky/super");
    giveToAlice(file("/t/sticky/alice"));
  }

  private void alice() {
    directory("/t/alice", 0755);
    giveToAlice(file("/t/alice/file"));
    directory("/t/alice/dir", 0755);
    giveToAlice("/t/alice/dir");
    giveToAlice("/t/alice");
  }

  private void space() {
    directory("/t/space", 0777);
    file("/t/space/file");
    run("setQuota", "path: '/t/space' namespaceQuota: $no storagespaceQuota: 1");
  }

  private void limited(String path, String limits) {
    directory(path, 0777);
    run("setQuota", "path: '" + path + "' " + limits);
  }

  private void acl() {
    directory("/t/acl", 0750);
    run(
        "modifyAclEntries",
        "src: '/t/acl'"
            + " aclSpec { type: USER scope: ACCESS permissions: READ_EXECUTE name: 'bob' }"
            + " aclSpec { type: USER scope: DEFAULT permissions: NONE name: 'bob' }");
  }

  private void xattr() {
    file("/t/xattr");
    run("setXAttr", "src: '/t/xattr' xAttr { namespace: USER name: 'a' value: '1' } flag: 1");
    run("setXAttr", "src: '/t/xattr' xAttr { namespace: TRUSTED name: 'b' value: '2' } flag: 1");
  }

  private void data() throws IOException {
    create("/t/data");
    LocatedBlockProto located = addBlock("/t/data");
    ExtendedBlockProto block = located.getB().toBuilder().setNumBytes(BLOCK_BYTES).build();
    side.datanode().receive(PBHelperClient.convert(block).getLocalBlock());
    side.values().put("dataBlock", oneLine(block));
    side.values().put("datanode", oneLine(located.getLocs(0).getId()));
    side.values().put("storage", located.getStorageIDs(0));
    side.values().put("pool", block.getPoolId());
    complete("src: '/t/data' clientName: 'writer' last { $dataBlock }");
    remember("dataId", "/t/data");
  }

  /** HDFS takes what a DataNode has received behind its back, but soon. */
  private void complete(String request) {
    for (int i = 0; i < COMPLETE_LIMIT; i++) {
      if (((CompleteResponseProto) run("complete", request)).getResult()) {
        return;
      }
    }
    throw new AssertionError("never complete: " + request);
  }

  private void open() {
    create("/t/open");
    ExtendedBlockProto block = addBlock("/t/open").getB();
    side.values().put("openBlock", oneLine(block));
    remember("openId", "/t/open");
  }

  private void directory(String path, int mode) {
    run("mkdirs", "src: '" + path + "' masked { perm: " + mode + " } createParent: false");
    if (mode >= 01000) {
      mode(path, mode); // HDFS's mkdirs drops the sticky bit
    }
  }

  private void mode(String path, int mode) {
    run("setPermission", "src: '" + path + "' permission { perm: " + mode + " }");
  }

  private void giveToAlice(String path) {
    run("setOwner", "src: '" + path + "' username: 'alice' groupname: 'staff'");
  }

  private String file(String path) {
    create(path);
    run("complete", "src: '" + path + "' clientName: 'writer'");
    return path;
  }

  private void create(String path) {
    run(
        "create",
        "src: '"
            + path
            + "' masked { perm: 0644 } clientName: 'writer' createFlag: 1 createParent: false"
            + " replication: 1 blockSize: 1048576");
  }

  private LocatedBlockProto addBlock(String path) {
    return ((AddBlockResponseProto) run("addBlock", "src: '" + path + "' clientName: 'writer'"))
        .getBlock();
  }

  private void remember(String name, String path) {
    HdfsFileStatusProto status =
        ((GetFileInfoResponseProto) run("getFileInfo", "src: '" + path + "'")).getFs();
    side.values().put(name, String.valueOf(status.getFileId()));
  }

  private static String oneLine(Message message) {
    return Side.text(message).replace('\n', ' ');
  }

  /** What there is where a request may have changed something, to compare. */
  String pictureAfter(String text) throws IOException {
    StringBuilder picture = new StringBuilder();
    List<String> paths = new ArrayList<>(List.of("/t"));
    touched(text).forEach(name -> paths.add("/t/" + name));
    for (String path : paths) {
      Request listing =
          new Request("getListing", "src: '" + path + "' startAfter: '' needLocation: false");
      picture.append(path).append(": ");
      picture.append(side.ask(superuser, listing).text()).append('\n');
    }
    return picture.toString();
  }

  private Message run(String method, String text) {
    return side.run(superuser, method, text);
  }
}
