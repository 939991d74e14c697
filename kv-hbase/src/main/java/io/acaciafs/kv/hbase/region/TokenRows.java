package io.acaciafs.kv.hbase.region;

import io.acaciafs.kv.StoreException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.HRegionLocation;

/** The rows that fencing tokens are in: at the beginning of their region. */
public final class TokenRows {
  /** Of no token: a write there proves that a server has the region. */
  static final int PROOF = 0;

  private TokenRows() {}

  /** The row of a member's token in a region. */
  public static byte[] rowIn(HRegionLocation region, byte[] member, int number) {
    byte[] start = region.getRegion().getStartKey();
    byte[] row =
        ByteBuffer.allocate(start.length + 2 + member.length + Integer.BYTES)
            .put(start)
            .put((byte) 0)
            .put((byte) 0)
            .put(member)
            .putInt(number)
            .array();
    if (!region.getRegion().containsRow(row)) {
      throw new StoreException("A region without room: " + region.getRegion());
    }
    return row;
  }
}
