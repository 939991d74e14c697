package io.acaciafs.fsimage.survey;

import io.acaciafs.fsimage.format.ImageFile;
import io.acaciafs.fsimage.sort.LongList;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.InodeFeatures;
import io.acaciafs.namespace.record.Locator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.server.namenode.FSImageFormatProtobuf.SectionName;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeId;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.jspecify.annotations.Nullable;

/**
 * A first reading of the inodes: what there is, what cannot be taken, and which directories there
 * are. Memory grows with the directories alone. {@link #process} is safe for many threads; the rest
 * is for one, afterwards.
 */
public final class ImageSurvey implements InodeSectionPass.Work {
  /** Of a directory that is an encryption zone, in the name space {@code raw}. */
  private static final String ZONE = "hdfs.crypto.encryption.zone";

  /** How many inodes of a kind are remembered to be named. */
  private static final int MOST_NAMED = 20;

  /** What few directories have. */
  public record Special(boolean hasQuota, byte policyId, boolean isZone, Buckets buckets) {}

  private final ImageFile image;
  private final InodeDecoder decoder;
  private final long legacyStampLimit;
  private final LongList directories = new LongList();
  private final Map<Long, Special> specials = new HashMap<>();
  private final Map<Refusal, LongList> named = new EnumMap<>(Refusal.class);
  private final Map<Refusal, Long> refused = new EnumMap<>(Refusal.class);
  private SurveyCounts counts = SurveyCounts.NONE;

  public ImageSurvey(ImageFile image, InodeDecoder decoder, long legacyStampLimit) {
    this.image = image;
    this.decoder = decoder;
    this.legacyStampLimit = legacyStampLimit;
  }

  @Override
  public void process(InodeBatch batch) throws IOException {
    InodeFacts facts = new InodeFacts();
    Tally tally = new Tally();
    try {
      for (int i = 0; i < batch.count(); i++) {
        facts.read(batch.bytes(), batch.start(i), batch.length(i));
        look(facts, batch, i, tally);
      }
    } catch (InvalidProtocolBufferException e) {
      throw new IOException(
          image
              .damaged("its section " + SectionName.INODE + " holds what is no inode")
              .getMessage(),
          e);
    }
    merge(tally);
  }

  private void look(InodeFacts facts, InodeBatch batch, int index, Tally tally) throws IOException {
    if (facts.type() == null || facts.id() <= 0) {
      throw image.damaged("an inode is of no kind, or has no id");
    }
    if (facts.id() == INodeId.ROOT_INODE_ID && facts.type() != INode.Type.DIRECTORY) {
      throw image.damaged("its root is no directory");
    }
    switch (facts.type()) {
      case FILE -> {
        tally.counts.add(SurveyCounts.ofFile(facts));
        tally.refuse(facts.refusal(legacyStampLimit), facts.id());
      }
      case SYMLINK -> tally.counts.add(SurveyCounts.ONE_SYMLINK);
      case DIRECTORY -> {
        ByteString bytes =
            ByteString.copyFrom(batch.bytes(), batch.start(index), batch.length(index));
        lookAtDirectory(INode.parseFrom(bytes), tally);
      }
    }
  }

  private void lookAtDirectory(INode row, Tally tally) throws IOException {
    DirectoryInode directory =
        (DirectoryInode) decoder.decode(row, Locator::spread); // wherever it will lie
    InodeFeatures features = directory.features();
    tally.counts.add(SurveyCounts.ofDirectory(features));
    tally.directories.add(directory.id());
    boolean isZone = features.xattrs().stream().anyMatch(ImageSurvey::isZone);
    if (isZone) {
      tally.refuse(Refusal.ENCRYPTION_ZONE, directory.id());
    }
    if (isZone
        || features.quota().isSet()
        || features.storagePolicyId() != 0
        || !directory.buckets().isOne()) {
      tally.specials.put(
          directory.id(),
          new Special(
              features.quota().isSet(), features.storagePolicyId(), isZone, directory.buckets()));
    }
  }

  private static boolean isZone(XAttr xattr) {
    return xattr.getNameSpace() == XAttr.NameSpace.RAW && xattr.getName().equals(ZONE);
  }

  /** What one thread found in one batch. */
  private static final class Tally {
    private final List<SurveyCounts> counts = new ArrayList<>();
    private final LongList directories = new LongList();
    private final Map<Long, Special> specials = new HashMap<>();
    private final Map<Refusal, LongList> refused = new EnumMap<>(Refusal.class);

    void refuse(@Nullable Refusal refusal, long id) {
      if (refusal != null) {
        refused.computeIfAbsent(refusal, key -> new LongList()).add(id);
      }
    }
  }

  private synchronized void merge(Tally tally) {
    counts = tally.counts.stream().reduce(counts, SurveyCounts::plus);
    directories.addAll(tally.directories);
    specials.putAll(tally.specials);
    tally.refused.forEach(this::refuse);
  }

  /** These cannot be taken. */
  public synchronized void refuse(Refusal refusal, LongList ids) {
    refused.merge(refusal, (long) ids.size(), Long::sum);
    LongList few = named.computeIfAbsent(refusal, key -> new LongList());
    for (int i = 0; i < ids.size() && few.size() < MOST_NAMED; i++) {
      few.add(ids.get(i));
    }
  }

  public SurveyCounts counts() {
    return counts;
  }

  /** In no order. */
  public LongList directories() {
    return directories;
  }

  public Map<Long, Special> specials() {
    return specials;
  }

  /** How many inodes cannot be taken, and why. */
  public Map<Refusal, Long> refused() {
    return refused;
  }

  /** Some of them. */
  public Map<Refusal, LongList> named() {
    return named;
  }
}
