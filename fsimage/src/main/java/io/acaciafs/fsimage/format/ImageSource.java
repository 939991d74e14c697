package io.acaciafs.fsimage.format;

import io.acaciafs.fsimage.sort.LongList;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.FSImageFormatProtobuf.SectionName;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.CacheManagerSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.ErasureCodingSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.NameSystemSection;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.SnapshotSection;
import org.apache.hadoop.thirdparty.protobuf.Parser;
import org.jspecify.annotations.Nullable;

/**
 * What an image says of the namespace as a whole.
 *
 * @param snapshots how many there are
 * @param snapshottable ids of the directories that may have some
 * @param notes what is not taken over, and hurts nobody
 */
public record ImageSource(
    ImageFile image,
    NameSystemSection nameSystem,
    StringTable strings,
    long snapshots,
    LongList snapshottable,
    List<String> notes) {

  public static ImageSource read(ImageFile image) throws IOException {
    NameSystemSection nameSystem = header(image, SectionName.NS_INFO, NameSystemSection.parser());
    SnapshotSection snapshots = header(image, SectionName.SNAPSHOT, SnapshotSection.parser());
    LongList snapshottable = new LongList();
    if (snapshots != null) {
      snapshots.getSnapshottableDirList().forEach(snapshottable::add);
    }
    if (nameSystem == null) {
      throw image.damaged("it has no section " + SectionName.NS_INFO);
    }
    return new ImageSource(
        image,
        nameSystem,
        StringTable.read(image),
        snapshots == null ? 0 : snapshots.getNumSnapshots(),
        snapshottable,
        notes(image, snapshots));
  }

  private static <T> @Nullable T header(ImageFile image, SectionName name, Parser<T> parser)
      throws IOException {
    if (!image.has(name) || image.lengthBytes(name) == 0) {
      return null;
    }
    try (SectionReader reader = new SectionReader(image, name)) {
      return reader.header(parser);
    }
  }

  private static List<String> notes(ImageFile image, @Nullable SnapshotSection snapshots)
      throws IOException {
    List<String> notes = new ArrayList<>();
    CacheManagerSection cache =
        header(image, SectionName.CACHE_MANAGER, CacheManagerSection.parser());
    if (cache != null && cache.getNumPools() > 0) {
      notes.add(
          cache.getNumPools()
              + " cache pools with "
              + cache.getNumDirectives()
              + " directives: nothing is kept in the DataNodes' caches");
    }
    ErasureCodingSection coding =
        header(image, SectionName.ERASURE_CODING, ErasureCodingSection.parser());
    if (coding != null && coding.getPoliciesCount() > 0) {
      notes.add(coding.getPoliciesCount() + " erasure-coding policies: new files are replicated");
    }
    if (snapshots != null
        && snapshots.getNumSnapshots() == 0
        && snapshots.getSnapshottableDirCount() > 0) {
      notes.add(
          snapshots.getSnapshottableDirCount() + " directories that snapshots could be made of");
    }
    return notes;
  }

  /**
   * DataNodes keep what they delete in their trash until they are told that the rolling upgrade is
   * finalized, and only the NameNode that knows of it can tell them.
   *
   * @throws IOException with a sentence, when one was under way
   */
  public void requireNoRollingUpgrade() throws IOException {
    if (nameSystem.hasRollingUpgradeStartTime()) {
      throw new IOException(
          "The image was written during a rolling upgrade that began at "
              + Instant.ofEpochMilli(nameSystem.getRollingUpgradeStartTime())
              + ". End it on the old NameNode with 'hdfs dfsadmin -rollingUpgrade finalize', or go"
              + " back, and save the image again: DataNodes would keep what they delete for ever");
    }
  }

  public boolean hasSnapshots() {
    return snapshots > 0;
  }

  /** No block was ever given a higher generation stamp. */
  public long highestStamp() {
    return nameSystem.getGenstampV2();
  }

  /** Blocks with stamps below were given random ids. */
  public long legacyStampLimit() {
    return nameSystem.getGenstampV1Limit();
  }
}
