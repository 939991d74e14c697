package io.acaciafs.fsimage;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.blocks.load.LoadedBlocks;
import io.acaciafs.blocks.record.RollingUpgrade;
import io.acaciafs.fsimage.format.ImageProgress;
import io.acaciafs.fsimage.format.ImageStrings;
import io.acaciafs.fsimage.format.InodeSectionHeader;
import io.acaciafs.fsimage.format.NameNodeFolder;
import io.acaciafs.fsimage.format.SectionWriter;
import io.acaciafs.kv.Store;
import io.acaciafs.namespace.record.IdKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.FSImageFormatProtobuf.SectionName;
import org.apache.hadoop.hdfs.server.namenode.FSImageUtil;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary.Section;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FilesUnderConstructionSection.FileUnderConstructionEntry;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.NameSystemSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.StringTableSection;

/**
 * Writes a namespace as a folder from which Hadoop's NameNode starts. The store is read once, in
 * the order of its keys, and not changed; nobody may change it meanwhile. Memory holds the strings,
 * the ids of open files, and the directories that wait to be swept.
 *
 * <p>For one thread.
 */
public final class ImageExport {
  /**
   * How far the image's generation stamp lies above any block's. Deleted blocks had stamps as well,
   * which nobody knows any more, and a DataNode may still report one of them: a NameNode takes a
   * stamp above its own for a sign that it was given an old image.
   */
  private static final long STAMP_MARGIN = 1L << 20;

  /** HDFS's GenerationStamp.LAST_RESERVED_STAMP. */
  private static final long LAST_RESERVED_STAMP = 1000;

  private static final long NO_STRIPED_BLOCK = Long.MIN_VALUE;

  private final Store store;
  private final ClusterIdentity identity;
  private final long transactionId;

  /**
   * The image has the transaction id that DataNodes have heard of; the NameNode's edit log goes on
   * behind it.
   */
  public ImageExport(Store store, ClusterIdentity identity) {
    this.store = store;
    this.identity = identity;
    this.transactionId = LoadedBlocks.transactionId(store);
  }

  /**
   * For a folder that Hadoop's NameNode is to start from: it takes up a rolling upgrade only where
   * it finds a rollback image of its own, and would never tell DataNodes that this one is over.
   *
   * @throws IOException with a sentence, when one is under way
   */
  public void requireNoRollingUpgrade() throws IOException {
    RollingUpgrade upgrade = RollingUpgrade.underWay(RollingUpgrade.read(store));
    if (upgrade != null) {
      throw new IOException(
          "A rolling upgrade is under way since "
              + Instant.ofEpochMilli(upgrade.startMs())
              + ". Start Acacia and end it with 'hdfs dfsadmin -rollingUpgrade finalize', or roll it"
              + " back, and export again: under Hadoop's NameNode DataNodes would keep what they"
              + " delete for ever");
    }
  }

  /**
   * Writes all; VERSION comes last, so a folder that has one is whole.
   *
   * @param folder a name directory that is not there or has nothing in it
   * @param progress is told how far it is
   * @throws IOException with a sentence, when the folder holds something, or cannot be written
   */
  public ImageCounts run(Path folder, ImageProgress progress) throws IOException {
    NameNodeFolder target = new NameNodeFolder(folder);
    target.create();
    Path image = target.unfinishedImage();
    ImageCounts counts;
    try {
      counts = writeImage(image, progress);
      target.finish(image, transactionId, identity, progress);
    } catch (IOException | RuntimeException e) {
      target.discard();
      throw e;
    }
    return counts;
  }

  private ImageCounts writeImage(Path image, ImageProgress progress) throws IOException {
    Path directories = image.resolveSibling("directories.tmp");
    FileSummary.Builder summary =
        FileSummary.newBuilder()
            .setOndiskVersion(FSImageUtil.FILE_VERSION)
            .setLayoutVersion(HdfsServerConstants.NAMENODE_LAYOUT_VERSION);
    ImageStrings strings = new ImageStrings();
    TreeExport tree;
    long headerOffset;
    try (SectionWriter out = new SectionWriter(image)) {
      out.writeRaw(FSImageUtil.MAGIC_HEADER);
      headerOffset = out.position();
      out.writeRaw(InodeSectionHeader.encode(0, 0));
      try (SectionWriter dirs = new SectionWriter(directories)) {
        tree = new TreeExport(store, strings, out, dirs, headerOffset);
        tree.run(progress);
      }
      tree.inodes().addTo(summary, SectionName.INODE, SectionName.INODE_SUB);
      long start = out.position();
      out.append(directories);
      tree.directories()
          .shiftedBy(start)
          .addTo(summary, SectionName.INODE_DIR, SectionName.INODE_DIR_SUB);
      writeOpenFiles(out, summary, tree.openFiles());
      writeNameSystem(out, summary, tree.counts());
      writeTokens(out, summary);
      writeStrings(out, summary, strings);
      writeSummary(out, summary.build());
    } finally {
      Files.deleteIfExists(directories);
    }
    InodeSectionHeader.patch(
        image, headerOffset, IdKind.INODE.peekNext(store) - 1, tree.counts().inodes());
    return tree.counts();
  }

  private void writeOpenFiles(SectionWriter out, FileSummary.Builder summary, long[] openFiles)
      throws IOException {
    long start = out.position();
    InodePaths paths = new InodePaths(store);
    for (long id : openFiles) {
      out.write(
          FileUnderConstructionEntry.newBuilder()
              .setInodeId(id)
              .setFullPath(paths.pathOf(id))
              .build());
    }
    addSection(summary, SectionName.FILES_UNDERCONSTRUCTION, start, out.position());
  }

  private void writeNameSystem(SectionWriter out, FileSummary.Builder summary, ImageCounts counts)
      throws IOException {
    long start = out.position();
    long adopted = Math.max(LAST_RESERVED_STAMP, LoadedBlocks.adoptedGenerationStamp(store));
    long highest = Math.max(adopted, counts.highestGenerationStamp());
    NameSystemSection.Builder section =
        NameSystemSection.newBuilder()
            .setNamespaceId(identity.namespaceId())
            .setGenstampV1(LAST_RESERVED_STAMP)
            .setGenstampV1Limit(0)
            .setGenstampV2(highest + STAMP_MARGIN)
            .setLastAllocatedBlockId(IdKind.BLOCK.peekNext(store) - 1)
            .setLastAllocatedStripedBlockId(NO_STRIPED_BLOCK)
            .setTransactionId(transactionId);
    RollingUpgrade upgrade = RollingUpgrade.underWay(RollingUpgrade.read(store));
    if (upgrade != null) {
      section.setRollingUpgradeStartTime(upgrade.startMs());
    }
    out.write(section.build());
    addSection(summary, SectionName.NS_INFO, start, out.position());
  }

  private void writeTokens(SectionWriter out, FileSummary.Builder summary) throws IOException {
    long start = out.position();
    new TokenExport(store).run(out);
    addSection(summary, SectionName.SECRET_MANAGER, start, out.position());
  }

  private static void writeStrings(
      SectionWriter out, FileSummary.Builder summary, ImageStrings strings) throws IOException {
    long start = out.position();
    List<String> all = strings.all();
    out.write(StringTableSection.newBuilder().setNumEntry(all.size()).setMaskBits(0).build());
    for (int i = 0; i < all.size(); i++) {
      out.write(StringTableSection.Entry.newBuilder().setId(i + 1).setStr(all.get(i)).build());
    }
    addSection(summary, SectionName.STRING_TABLE, start, out.position());
  }

  /** Its length stands behind it, the length of its own prefix included. */
  private static void writeSummary(SectionWriter out, FileSummary summary) throws IOException {
    long start = out.position();
    out.write(summary);
    int length = (int) (out.position() - start);
    out.writeRaw(
        new byte[] {
          (byte) (length >>> 24), (byte) (length >>> 16), (byte) (length >>> 8), (byte) length
        });
  }

  private static void addSection(
      FileSummary.Builder summary, SectionName name, long start, long end) {
    summary.addSections(
        Section.newBuilder().setName(name.name()).setOffset(start).setLength(end - start));
  }
}
