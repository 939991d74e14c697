package io.acaciafs.fsimage;

import io.acaciafs.fsimage.format.SectionWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockTypeProto;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager.SecretManagerState;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.FSImageFormatProtobuf.SectionName;
import org.apache.hadoop.hdfs.server.namenode.FSImageUtil;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeDirectorySection.DirEntry;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeReferenceSection.INodeReference;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.INode;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.XAttrCompactProto;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.XAttrFeatureProto;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.NameSystemSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.SnapshotSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.StringTableSection;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.MessageLite;

/** An image of whatever a test wants, sane or not. */
final class TestImage {
  static final long ROOT = 16385;
  private static final long PERMISSION = 1L << 40 | 2L << 16 | 0755;

  private final List<INode> inodes = new ArrayList<>();
  private final List<DirEntry> directories = new ArrayList<>();
  private final List<INodeReference> references = new ArrayList<>();
  private final SnapshotSection.Builder snapshots =
      SnapshotSection.newBuilder().setSnapshotCounter(0).setNumSnapshots(0);

  private final List<MessageLite> tokens = new ArrayList<>();
  private long transactionId;
  private NameSystemSection rollingUpgrade = NameSystemSection.getDefaultInstance();

  TestImage() {
    directory(ROOT, "");
  }

  TestImage directory(long id, String name) {
    return add(id, name, INodeSection.INodeDirectory.newBuilder());
  }

  /** A directory whose files would be encrypted. */
  TestImage zone(long id, String name) {
    XAttrCompactProto.Builder xattr = XAttrCompactProto.newBuilder();
    xattr.setName(3 << 6 | 1 << 5); // raw
    return add(
        id,
        name,
        INodeSection.INodeDirectory.newBuilder()
            .setXAttrs(XAttrFeatureProto.newBuilder().addXAttrs(xattr)));
  }

  private TestImage add(long id, String name, INodeSection.INodeDirectory.Builder directory) {
    inodes.add(
        inode(id, name)
            .setType(INode.Type.DIRECTORY)
            .setDirectory(directory.setPermission(PERMISSION).setNsQuota(-1).setDsQuota(-1))
            .build());
    return this;
  }

  private static INode.Builder inode(long id, String name) {
    return INode.newBuilder().setId(id).setName(ByteString.copyFromUtf8(name));
  }

  TestImage file(long id, String name, long blockId) {
    return file(id, name, file(blockId));
  }

  TestImage fileOfPolicy(long id, String name, int policyId) {
    return file(id, name, file(id).setStoragePolicyID(policyId));
  }

  TestImage stripedFile(long id, String name) {
    return file(
        id, name, file(-1L << 40).setErasureCodingPolicyID(1).setBlockType(BlockTypeProto.STRIPED));
  }

  private static INodeSection.INodeFile.Builder file(long blockId) {
    return INodeSection.INodeFile.newBuilder()
        .setPermission(PERMISSION)
        .setReplication(1)
        .setPreferredBlockSize(1 << 20)
        .addBlocks(BlockProto.newBuilder().setBlockId(blockId).setGenStamp(1001).setNumBytes(10));
  }

  private TestImage file(long id, String name, INodeSection.INodeFile.Builder file) {
    inodes.add(inode(id, name).setType(INode.Type.FILE).setFile(file).build());
    return this;
  }

  TestImage children(long parent, Long... ids) {
    directories.add(
        DirEntry.newBuilder().setParent(parent).addAllChildren(Arrays.asList(ids)).build());
    return this;
  }

  /** By way of the list of references, as after a rename beside a snapshot. */
  TestImage referredChild(long parent, long id) {
    directories.add(
        DirEntry.newBuilder().setParent(parent).addRefChildren(references.size()).build());
    references.add(INodeReference.newBuilder().setReferredId(id).build());
    return this;
  }

  TestImage snapshotOf(long directory) {
    snapshots.setNumSnapshots(snapshots.getNumSnapshots() + 1).addSnapshottableDir(directory);
    return this;
  }

  /** With these delegation tokens. */
  TestImage tokens(SecretManagerState state) {
    tokens.add(state.section);
    tokens.addAll(state.keys);
    tokens.addAll(state.tokens);
    return this;
  }

  /** The last one that it holds. */
  TestImage transactionId(long id) {
    transactionId = id;
    return this;
  }

  /** Written while a rolling upgrade is under way. */
  TestImage rollingUpgradeSince(long startMs) {
    rollingUpgrade = NameSystemSection.newBuilder().setRollingUpgradeStartTime(startMs).build();
    return this;
  }

  Path write(Path file) throws IOException {
    FileSummary.Builder summary =
        FileSummary.newBuilder()
            .setOndiskVersion(FSImageUtil.FILE_VERSION)
            .setLayoutVersion(HdfsServerConstants.NAMENODE_LAYOUT_VERSION);
    try (SectionWriter out = new SectionWriter(file)) {
      out.writeRaw(FSImageUtil.MAGIC_HEADER);
      List<MessageLite> inodeMessages = new ArrayList<>(inodes);
      inodeMessages.add(
          0, INodeSection.newBuilder().setLastInodeId(20000).setNumInodes(inodes.size()).build());
      section(out, summary, SectionName.INODE, inodeMessages);
      section(out, summary, SectionName.INODE_DIR, directories);
      section(out, summary, SectionName.INODE_REFERENCE, references);
      section(out, summary, SectionName.SNAPSHOT, List.of(snapshots.build()));
      section(
          out,
          summary,
          SectionName.NS_INFO,
          List.of(
              NameSystemSection.newBuilder()
                  .setNamespaceId(7)
                  .setTransactionId(transactionId)
                  .setLastAllocatedBlockId(1L << 31)
                  .mergeFrom(rollingUpgrade)
                  .build()));
      if (!tokens.isEmpty()) {
        section(out, summary, SectionName.SECRET_MANAGER, tokens);
      }
      section(
          out,
          summary,
          SectionName.STRING_TABLE,
          List.of(
              StringTableSection.newBuilder().setNumEntry(3).build(),
              string(1, "alice"),
              string(2, "staff"),
              string(3, "hdfs.crypto.encryption.zone")));
      long start = out.position();
      out.write(summary.build());
      int length = (int) (out.position() - start);
      out.writeRaw(new byte[] {0, 0, (byte) (length >> 8), (byte) length});
    }
    return file;
  }

  private static StringTableSection.Entry string(int number, String string) {
    return StringTableSection.Entry.newBuilder().setId(number).setStr(string).build();
  }

  private static void section(
      SectionWriter out,
      FileSummary.Builder summary,
      SectionName name,
      List<? extends MessageLite> messages)
      throws IOException {
    long start = out.position();
    for (MessageLite message : messages) {
      out.write(message);
    }
    summary.addSections(
        FileSummary.Section.newBuilder()
            .setName(name.name())
            .setOffset(start)
            .setLength(out.position() - start));
  }
}
