package io.acaciafs.fsimage;

import io.acaciafs.fsimage.format.ImageFile;
import io.acaciafs.fsimage.format.ImageProgress;
import io.acaciafs.fsimage.format.SectionReader;
import io.acaciafs.fsimage.sort.LongList;
import io.acaciafs.fsimage.sort.RowSorter;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hdfs.server.namenode.FSImageFormatProtobuf.SectionName;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeDirectorySection.DirEntry;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.INodeReferenceSection.INodeReference;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.WireFormat;

/**
 * Reads which inodes each directory holds. A directory of millions of entries is one message, so
 * its children are taken one by one. For one thread.
 */
final class DirectoryPass {
  /** A larger message is not read as a whole before it is looked at. */
  private static final int IN_MEMORY_BYTES = 1 << 20;

  private final ImageFile image;
  private final DirectoryTable directories;
  private final RowSorter pairs;
  private final byte[] key = new byte[Long.BYTES];
  private final byte[] value = new byte[Integer.BYTES];
  private final LongList references = new LongList();
  private long children;

  /**
   * @param pairs gets inode ids as keys, and as values numbers of directories
   */
  DirectoryPass(ImageFile image, DirectoryTable directories, RowSorter pairs) {
    this.image = image;
    this.directories = directories;
    this.pairs = pairs;
  }

  /**
   * @param inodes how many there are, for the progress
   */
  void run(ImageProgress progress, long inodes) throws IOException {
    progress.begin("read directories");
    readReferences();
    if (image.lengthBytes(SectionName.INODE_DIR) == 0) {
      return; // a file system of nothing but its root
    }
    try (SectionReader reader = new SectionReader(image, SectionName.INODE_DIR)) {
      int length;
      while ((length = reader.nextLength()) >= 0) {
        try {
          read(
              length <= IN_MEMORY_BYTES
                  ? CodedInputStream.newInstance(reader.readBytes(length))
                  : CodedInputStream.newInstance(reader.stream(length)));
        } catch (InvalidProtocolBufferException e) {
          throw reader.senseless(e);
        }
        progress.advance(children, inodes <= 0 ? 0 : (double) children / inodes);
      }
    }
  }

  /** Inodes that were renamed while there were snapshots are named by way of a list. */
  private void readReferences() throws IOException {
    if (!image.has(SectionName.INODE_REFERENCE)
        || image.lengthBytes(SectionName.INODE_REFERENCE) == 0) {
      return;
    }
    try (SectionReader reader = new SectionReader(image, SectionName.INODE_REFERENCE)) {
      INodeReference reference;
      while ((reference = reader.next(INodeReference.parser())) != null) {
        references.add(reference.getReferredId());
      }
    }
  }

  /** Its writer puts the directory before what is in it. */
  private void read(CodedInputStream in) throws IOException {
    in.setSizeLimit(Integer.MAX_VALUE);
    int directory = DirectoryTable.NONE;
    for (int tag; (tag = in.readTag()) != 0; ) {
      boolean isList = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
      int field = WireFormat.getTagFieldNumber(tag);
      boolean isReference = field == DirEntry.REFCHILDREN_FIELD_NUMBER;
      if (field == DirEntry.PARENT_FIELD_NUMBER) {
        directory = numberOf(in.readUInt64());
      } else if (field != DirEntry.CHILDREN_FIELD_NUMBER && !isReference) {
        in.skipField(tag);
      } else if (isList) {
        int limit = in.pushLimit(in.readRawVarint32());
        while (!in.isAtEnd()) {
          add(in.readRawVarint64(), isReference, directory);
        }
        in.popLimit(limit);
      } else {
        add(in.readRawVarint64(), isReference, directory);
      }
    }
  }

  private int numberOf(long id) throws IOException {
    int number = directories.numberOf(id);
    if (number == DirectoryTable.NONE) {
      throw image.damaged("inode " + id + " has entries, but is no directory");
    }
    return number;
  }

  private void add(long child, boolean isReference, int directory) throws IOException {
    if (directory == DirectoryTable.NONE) {
      throw image.damaged("there are entries of no directory");
    }
    long id = child;
    if (isReference) {
      if (child < 0 || child >= references.size()) {
        throw image.damaged("a directory names the reference " + child + ", which is not there");
      }
      id = references.get((int) child);
    }
    children++;
    ByteBuffer.wrap(key).putLong(id);
    ByteBuffer.wrap(value).putInt(directory);
    pairs.add(key, value);
  }
}
