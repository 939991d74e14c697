package io.acaciafs.kv.raft.compare;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What the rows of a range are.
 *
 * @param rows how many there are
 * @param first eight bytes of the hash of keys and values, in their order
 * @param second the next eight bytes
 */
record RangeDigest(long rows, long first, long second) {
  static RangeDigest read(DataInput in) throws IOException {
    return new RangeDigest(in.readLong(), in.readLong(), in.readLong());
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(rows);
    out.writeLong(first);
    out.writeLong(second);
  }
}
