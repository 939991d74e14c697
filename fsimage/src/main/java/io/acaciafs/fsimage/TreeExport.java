package io.acaciafs.fsimage;

import io.acaciafs.fsimage.format.ImageProgress;
import io.acaciafs.fsimage.format.ImageStrings;
import io.acaciafs.fsimage.format.InodeEncoder;
import io.acaciafs.fsimage.format.SectionParts;
import io.acaciafs.fsimage.format.SectionWriter;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.namespace.directory.BucketScan;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.codec.Dictionary;
import io.acaciafs.namespace.record.codec.InodeCodec;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeDirectorySection.DirEntry;

/**
 * Writes inodes and directories in one walk over the entries: a directory's entries lie together
 * and in the order of their names, as an image wants them; those of one with several buckets are
 * merged when its header is met. For one thread, once.
 */
final class TreeExport {
  /** A directory with more entries is written in pieces. */
  private static final int CHILDREN_IN_MESSAGE = 100_000;

  private static final int ROWS_BETWEEN_REPORTS = 4096;

  /** Where the root's entry lies. */
  private static final long NO_DIRECTORY = 0;

  private final Store store;
  private final InodeCodec codec;
  private final InodeEncoder encoder;
  private final SectionWriter inodesOut;
  private final SectionWriter directoriesOut;
  private final SectionParts inodeParts;
  private final SectionParts directoryParts;
  private final ImageCounts counts = new ImageCounts();
  private final LongStream.Builder openFiles = LongStream.builder();
  private byte[] partition = {};
  private long directoryId;
  private boolean isSwept;
  private boolean isWritten;
  private DirEntry.Builder children = DirEntry.newBuilder();

  /**
   * @param inodesStart where the section of inodes begins in its file
   */
  TreeExport(
      Store store,
      ImageStrings strings,
      SectionWriter inodesOut,
      SectionWriter directoriesOut,
      long inodesStart) {
    this.store = store;
    this.codec = InodeCodec.forReading(store, new Dictionary());
    this.encoder = new InodeEncoder(strings);
    this.inodesOut = inodesOut;
    this.directoriesOut = directoriesOut;
    this.inodeParts = new SectionParts(inodesStart);
    this.directoryParts = new SectionParts(0);
  }

  void run(ImageProgress progress) throws IOException {
    Set<Locator> swept = SweptDirectories.of(store, codec);
    progress.begin("write the image");
    long allRows = store.estimatedRows(NamespaceKeys.ENTRIES).orElse(0);
    long rows = 0;
    try (Scan scan = store.scan(KeyRange.ofTable(NamespaceKeys.ENTRIES))) {
      while (scan.hasNext()) {
        Row row = scan.next();
        byte[] key = row.key().bytes();
        if (++rows % ROWS_BETWEEN_REPORTS == 0) {
          progress.advance(
              counts.inodes(), allRows == 0 ? 0 : Math.min(1, (double) rows / allRows));
        }
        if (NamespaceKeys.bucketOf(row.key()) != 0) {
          continue; // its directory has a header, and is written when that is met
        }
        if (!Arrays.equals(
            key, 0, Locator.LENGTH, partition, 0, Math.min(partition.length, Locator.LENGTH))) {
          endDirectory();
          Locator locator = NamespaceKeys.directoryOf(row.key());
          partition = locator.toBytes();
          directoryId = locator.directoryId();
          isSwept = swept.contains(locator);
          isWritten = false;
        }
        if (isSwept || isWritten) {
          continue;
        }
        if (NamespaceKeys.isHeader(row.key())) {
          addAll(NamespaceKeys.directoryOf(row.key()), Buckets.decode(row.value()));
          isWritten = true;
        } else if (NamespaceKeys.isEntry(row.key())) {
          add(codec.decode(row.value()), NamespaceKeys.nameOf(row.key()));
        }
      }
    }
    endDirectory();
    inodeParts.end(inodesOut.position());
    directoryParts.end(directoriesOut.position());
    progress.advance(counts.inodes(), 1);
  }

  /** An image wants the entries of a directory in the order of their names. */
  private void addAll(Locator directory, Buckets buckets) throws IOException {
    BucketScan.<IOException>forEachRow(
        store,
        directory,
        buckets,
        new byte[0],
        row -> {
          add(codec.decode(row.value()), NamespaceKeys.nameOf(row));
          return true;
        });
  }

  private void add(Inode inode, byte[] name) throws IOException {
    long modificationTimeMs = inode.attributes().modificationTimeMs();
    if (inode instanceof DirectoryInode directory) {
      modificationTimeMs = Math.max(modificationTimeMs, lastChangeMs(directory));
    } else if (inode instanceof FileInode file && file.isUnderConstruction()) {
      openFiles.add(file.id());
    }
    counts.add(inode);
    inodesOut.write(encoder.encode(inode, name, modificationTimeMs));
    if (directoryId != NO_DIRECTORY) {
      children.addChildren(inode.id());
      if (children.getChildrenCount() == CHILDREN_IN_MESSAGE) {
        flushChildren();
      }
    }
  }

  private long lastChangeMs(DirectoryInode directory) {
    long lastMs = Long.MIN_VALUE;
    for (int bucket : directory.buckets().numbers()) {
      byte[] row = store.get(NamespaceKeys.counters(directory.locator(), bucket));
      lastMs = Math.max(lastMs, DirectoryCounters.decode(row).modificationTimeMs());
    }
    return lastMs;
  }

  private void endDirectory() throws IOException {
    flushChildren();
    inodeParts.mayEndPart(counts.inodes(), inodesOut.position());
    directoryParts.mayEndPart(counts.inodes(), directoriesOut.position());
  }

  private void flushChildren() throws IOException {
    if (children.getChildrenCount() > 0) {
      directoriesOut.write(children.setParent(directoryId).build());
      children = DirEntry.newBuilder();
    }
  }

  SectionParts inodes() {
    return inodeParts;
  }

  SectionParts directories() {
    return directoryParts;
  }

  ImageCounts counts() {
    return counts;
  }

  /** Ids of files under construction. */
  long[] openFiles() {
    return openFiles.build().toArray();
  }
}
