package io.acaciafs.bench.load;

import io.acaciafs.blocks.load.LoadedBlocks;
import io.acaciafs.kv.Key;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.RowKeyLayout;
import io.acaciafs.namespace.record.codec.InodeCodec;
import java.util.List;

/** The rows of a {@link TreeShape}, made from numbers. Immutable, but a codec is for one thread. */
record LoadedTree(
    TreeShape shape,
    RowKeyLayout layout,
    Ids ids,
    short replication,
    Inode.Attributes directoryAttributes,
    Inode.Attributes fileAttributes) {
  private static final int NAME_DIGITS = 8;
  private static final int BUCKET = 0;
  private static final long BLOCK_SIZE_BYTES = 128L << 20;
  private static final long LARGE_BLOCK_SIZE_BYTES = 1L << 30;

  /**
   * The numbers of what is in the tree.
   *
   * @param firstDirectory of directory 1; the root has its own
   * @param firstFile of file 0
   * @param firstBlock of the block of file 0
   */
  record Ids(long root, long firstDirectory, long firstFile, long firstBlock) {}

  long idOfDirectory(int directory) {
    return directory == 0 ? ids.root : ids.firstDirectory + directory - 1;
  }

  Locator locatorOf(int directory) {
    if (directory == 0) {
      return Locator.spread(ids.root);
    }
    int parent = shape.parentOf(directory);
    long above = parent == 0 ? 0 : idOfDirectory(shape.parentOf(parent));
    return layout.locate(above, idOfDirectory(parent), idOfDirectory(directory));
  }

  /** Zero: an empty file has no block. */
  long blockIdOf(long file) {
    return FileSizes.lengthBytes(file) == 0 ? 0 : ids.firstBlock + file;
  }

  Key countersKey(int directory) {
    return NamespaceKeys.counters(locatorOf(directory), BUCKET);
  }

  byte[] counters(int directory) {
    long entries = shape.childrenOf(directory) + shape.filesOf(directory);
    return new DirectoryCounters(entries, entries, directoryAttributes.modificationTimeMs())
        .encode();
  }

  Key directoryKey(Locator parent, int directory) {
    return NamespaceKeys.entry(parent, BUCKET, directoryName(directory));
  }

  byte[] directoryRow(InodeCodec codec, int directory) {
    return codec.encode(
        new DirectoryInode(idOfDirectory(directory), locatorOf(directory), directoryAttributes));
  }

  Key fileKey(Locator parent, byte[] name) {
    return NamespaceKeys.entry(parent, BUCKET, name);
  }

  byte[] fileRow(InodeCodec codec, long file) {
    long lengthBytes = FileSizes.lengthBytes(file);
    List<FileBlock> blocks =
        lengthBytes == 0
            ? List.of()
            : List.of(
                new FileBlock(ids.firstBlock + file, LoadedBlocks.GENERATION_STAMP, lengthBytes));
    return codec.encode(
        new FileInode(
            ids.firstFile + file,
            fileAttributes,
            replication,
            lengthBytes > BLOCK_SIZE_BYTES ? LARGE_BLOCK_SIZE_BYTES : BLOCK_SIZE_BYTES,
            blocks,
            null));
  }

  byte[] directoryLocation(int directory) {
    return new InodeLocation(locatorOf(shape.parentOf(directory)), directoryName(directory))
        .encode();
  }

  byte[] fileLocation(Locator parent, byte[] name) {
    return new InodeLocation(parent, name).encode();
  }

  /** All of one length, so that their order is that of the numbers. */
  static byte[] directoryName(int directory) {
    byte[] name = new byte[1 + NAME_DIGITS];
    name[0] = 'd';
    int rest = directory;
    for (int i = NAME_DIGITS; i > 0; i--) {
      name[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    return name;
  }
}
