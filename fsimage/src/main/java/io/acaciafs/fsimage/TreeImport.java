package io.acaciafs.fsimage;

import io.acaciafs.blocks.load.LoadedBlocks;
import io.acaciafs.fsimage.format.ImageFile;
import io.acaciafs.fsimage.format.ImageSource;
import io.acaciafs.fsimage.sort.RowSorters;
import io.acaciafs.fsimage.survey.InodeBatch;
import io.acaciafs.fsimage.survey.InodeDecoder;
import io.acaciafs.fsimage.survey.InodeFacts;
import io.acaciafs.fsimage.survey.InodeSectionPass;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.OpenFile;
import io.acaciafs.namespace.record.RowKeyLayout;
import io.acaciafs.namespace.record.codec.Dictionary;
import io.acaciafs.namespace.record.codec.InodeCodec;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hdfs.server.namenode.FSImageFormatProtobuf.SectionName;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeSection.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeId;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;

/** The second reading of the inodes: makes all rows of them. Safe for use by many threads. */
final class TreeImport implements InodeSectionPass.Work {
  private static final Locator NOWHERE = Locator.spread(0);

  private final ImageFile image;
  private final ImageSource source;
  private final InodeDecoder decoder;
  private final ParentTable parents;
  private final DirectoryTable directories;
  private final QuotaUsage quotas;
  private final RowSorters rows;
  private final Store store;
  private final RowKeyLayout layout;
  private final Dictionary dictionary;
  private final boolean hasRefused;
  private final AtomicLong inDirectories = new AtomicLong();
  private final AtomicLong leftOut = new AtomicLong();
  private final LongAdder missingBlocks = new LongAdder();
  private final LongAdder missingWithOneReplica = new LongAdder();
  private final LongAccumulator highestInode = new LongAccumulator(Math::max, 0);
  private final LongAccumulator highestBlock = new LongAccumulator(Math::max, 0);

  /**
   * @param dictionary knows all names of users and groups in the image
   */
  TreeImport(
      ImageSource source,
      InodeDecoder decoder,
      Surveyed surveyed,
      RowSorters rows,
      Store store,
      Dictionary dictionary) {
    this.image = source.image();
    this.source = source;
    this.decoder = decoder;
    this.parents = surveyed.parents();
    this.directories = surveyed.directories();
    this.quotas = new QuotaUsage(directories);
    this.rows = rows;
    this.store = store;
    this.layout = RowKeyLayout.of(store);
    this.dictionary = dictionary;
    this.hasRefused = surveyed.hasRefused();
  }

  @Override
  public void process(InodeBatch batch) throws IOException {
    InodeCodec codec = InodeCodec.in(store.begin(), dictionary);
    InodeFacts facts = new InodeFacts();
    try {
      for (int i = 0; i < batch.count(); i++) {
        boolean isRefused = false;
        if (hasRefused) {
          facts.read(batch.bytes(), batch.start(i), batch.length(i));
          isRefused = facts.refusal(source.legacyStampLimit()) != null;
        }
        CodedInputStream in =
            CodedInputStream.newInstance(batch.bytes(), batch.start(i), batch.length(i));
        add(INode.parseFrom(in), isRefused, codec);
      }
    } catch (InvalidProtocolBufferException e) {
      throw new IOException(
          image
              .damaged("its section " + SectionName.INODE + " holds what is no inode")
              .getMessage(),
          e);
    }
  }

  private void add(INode row, boolean isRefused, InodeCodec codec) throws IOException {
    long id = row.getId();
    highestInode.accumulate(id);
    if (id == INodeId.ROOT_INODE_ID) {
      addRoot(decode(row), codec);
      return;
    }
    int directory = parents.directoryOf(id);
    if (directory == DirectoryTable.NONE) {
      if (!source.hasSnapshots()) {
        throw image.damaged("inode " + id + " is in no directory");
      }
      leftOut.incrementAndGet();
      return;
    }
    inDirectories.incrementAndGet();
    boolean isOut =
        isRefused
            || directories.isLeftOut(directory)
            || row.getType() == INode.Type.DIRECTORY
                && directories.isLeftOut(directories.numberOf(id));
    if (isOut) {
      leftOut.incrementAndGet();
      return;
    }
    byte[] name = row.getName().toByteArray();
    check(id, name);
    add(decode(row), name, directory, codec);
  }

  private Inode decode(INode row) throws IOException {
    return decoder.decode(row, id -> directories.locatorOf(directories.numberOf(id), layout));
  }

  private void check(long id, byte[] name) throws IOException {
    boolean isName = name.length > 0;
    for (byte each : name) {
      isName &= each != '/';
    }
    if (!isName) {
      throw image.damaged("inode " + id + " has a name that cannot be one");
    }
  }

  private void addRoot(Inode root, InodeCodec codec) throws IOException {
    rows.entries().add(NamespaceKeys.entry(NOWHERE, 0, new byte[0]).bytes(), codec.encode(root));
    addHeader(root);
    quotas.add(root, DirectoryTable.NONE);
  }

  private void addHeader(Inode inode) throws IOException {
    if (inode instanceof DirectoryInode directory && !directory.buckets().isOne()) {
      rows.entries()
          .add(NamespaceKeys.header(directory.locator()).bytes(), directory.buckets().encode());
    }
  }

  private void add(Inode inode, byte[] name, int directory, InodeCodec codec) throws IOException {
    Locator locator = directories.locatorOf(directory, layout);
    int bucket = directories.bucketOf(directory, name);
    rows.entries().add(NamespaceKeys.entry(locator, bucket, name).bytes(), codec.encode(inode));
    addHeader(inode);
    rows.inodes()
        .add(NamespaceKeys.inode(inode.id()).bytes(), new InodeLocation(locator, name).encode());
    directories.addEntry(directory, bucket);
    quotas.add(inode, directory);
    if (inode instanceof FileInode file) {
      addBlocks(file);
      if (file.isUnderConstruction()) {
        rows.openFiles()
            .add(
                NamespaceKeys.openFile(file.id()).bytes(),
                new OpenFile(file.leaseHolder().clientName(), false).encode());
      }
    }
  }

  /** The last block of an open file is the one that is written. */
  private void addBlocks(FileInode file) throws IOException {
    for (FileBlock block : file.blocks()) {
      boolean isOpen = file.isUnderConstruction() && block == file.lastBlock();
      Key key = LoadedBlocks.key(block.id());
      byte[] value =
          isOpen
              ? LoadedBlocks.underConstruction(
                  block.toBlock(), file.id(), file.replication(), source.highestStamp())
              : LoadedBlocks.missing(block.toBlock(), file.id(), file.replication());
      rows.blocks().add(key.bytes(), value);
      if (!isOpen) {
        missingBlocks.increment();
        missingWithOneReplica.add(file.replication() == 1 ? 1 : 0);
      }
      highestBlock.accumulate(block.id());
    }
  }

  /** Adds what is known of directories only when all inodes are read. */
  void finish() throws IOException {
    if (inDirectories.get() != parents.size()) {
      throw image.damaged(
          "directories hold "
              + parents.size()
              + " entries, but only "
              + inDirectories
              + " of these inodes are there");
    }
    for (int i = 0; i < directories.size(); i++) {
      for (Map.Entry<Integer, Long> bucket : directories.entriesOf(i).entrySet()) {
        Locator locator = directories.locatorOf(i, layout); // has entries, so it is in the tree
        long entries = bucket.getValue();
        byte[] counters = new DirectoryCounters(entries, entries, Long.MIN_VALUE).encode();
        rows.entries().add(NamespaceKeys.counters(locator, bucket.getKey()).bytes(), counters);
      }
    }
  }

  QuotaUsage quotas() {
    return quotas;
  }

  /** How many inodes stay behind. */
  long leftOut() {
    return leftOut.get();
  }

  /** Complete blocks: nobody has reported a replica of them yet. */
  long missingBlocks() {
    return missingBlocks.sum();
  }

  /** Those of files with one replica. */
  long missingWithOneReplica() {
    return missingWithOneReplica.sum();
  }

  long highestInode() {
    return highestInode.get();
  }

  long highestBlock() {
    return highestBlock.get();
  }
}
