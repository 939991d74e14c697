package io.acaciafs.fsimage;

import io.acaciafs.fsimage.format.ImageFile;
import io.acaciafs.fsimage.sort.LongList;
import io.acaciafs.fsimage.sort.RowMerge;
import io.acaciafs.fsimage.sort.RowSorter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which directory each inode lies in: a sorted file of inode ids and numbers of directories, mapped
 * into memory, so that the operating system decides how much of it to keep. An image names inodes
 * almost in the order of their ids, so look-ups walk through the file in a few places at once.
 * Memory holds one id in a thousand. Safe for use by many threads. The file may be removed while it
 * is mapped.
 */
final class ParentTable {
  private static final int ROW_BYTES = Long.BYTES + Integer.BYTES;
  private static final int ROWS_IN_BLOCK = 1024;

  /** A mapping has less than 2 GiB. */
  private static final int ROWS_IN_MAPPING = ROWS_IN_BLOCK * 100_000;

  private final List<MappedByteBuffer> mappings;
  private final long[] firstIds;
  private final long rows;

  private ParentTable(List<MappedByteBuffer> mappings, long[] firstIds, long rows) {
    this.mappings = mappings;
    this.firstIds = firstIds;
    this.rows = rows;
  }

  /**
   * @param pairs keys are inode ids, values numbers of directories
   */
  static ParentTable build(Path file, RowSorter pairs, ImageFile image) throws IOException {
    LongList firstIds = new LongList();
    long rows = 0;
    try (FileChannel channel =
            FileChannel.open(
                file,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        RowMerge sorted = pairs.merge()) {
      ByteBuffer block = ByteBuffer.allocate(ROW_BYTES * ROWS_IN_BLOCK);
      long last = 0;
      while (sorted.next()) {
        long id = ByteBuffer.wrap(sorted.key()).getLong();
        if (rows > 0 && id == last) {
          throw image.damaged("inode " + id + " is in two directories");
        }
        last = id;
        if (rows++ % ROWS_IN_BLOCK == 0) {
          firstIds.add(id);
        }
        block.putLong(id).put(sorted.value());
        if (!block.hasRemaining()) {
          write(channel, block);
        }
      }
      write(channel, block);
      return new ParentTable(map(channel, rows), firstIds.toArray(), rows);
    }
  }

  private static void write(FileChannel channel, ByteBuffer block) throws IOException {
    block.flip();
    while (block.hasRemaining()) {
      channel.write(block);
    }
    block.clear();
  }

  private static List<MappedByteBuffer> map(FileChannel channel, long rows) throws IOException {
    List<MappedByteBuffer> mappings = new ArrayList<>();
    for (long from = 0; from < rows; from += ROWS_IN_MAPPING) {
      long count = Math.min(ROWS_IN_MAPPING, rows - from);
      mappings.add(channel.map(FileChannel.MapMode.READ_ONLY, from * ROW_BYTES, count * ROW_BYTES));
    }
    return mappings;
  }

  /** How many inodes are in directories. */
  long size() {
    return rows;
  }

  /**
   * The number of the directory that an inode lies in.
   *
   * @return -1 when it lies in none
   */
  int directoryOf(long inodeId) {
    int found = Arrays.binarySearch(firstIds, inodeId);
    long block = found >= 0 ? found : -found - 2;
    if (block < 0) {
      return -1;
    }
    long low = block * ROWS_IN_BLOCK;
    long high = Math.min(rows, low + ROWS_IN_BLOCK) - 1;
    MappedByteBuffer mapping = mappings.get((int) (low / ROWS_IN_MAPPING));
    long base = low / ROWS_IN_MAPPING * ROWS_IN_MAPPING;
    while (low <= high) {
      long middle = (low + high) >>> 1;
      int at = (int) (middle - base) * ROW_BYTES;
      long id = mapping.getLong(at);
      if (id == inodeId) {
        return mapping.getInt(at + Long.BYTES);
      }
      if (id < inodeId) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }
}
