package io.acaciafs.kv.raft.log;

import io.acaciafs.kv.StoreException;
import java.nio.ByteBuffer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * What one entry of Ratis's log holds: a batch or a piece of one, behind a header of {@link
 * #HEADER_BYTES} bytes; or nothing, to show that this server leads still; or the mark of a
 * comparison, which an older version takes for nothing. Large batches come in pieces, as Ratis
 * wants its entries small.
 *
 * <p>Layout: version (1 byte), kind (1), number of the piece (4), term (8), position (8), big
 * endian, then the bytes.
 *
 * @param term in which the leader's store made it
 * @param position of the batch in the commit log; 0: no batch
 * @param piece from 0
 * @param isLast whether the batch ends with it
 * @param bytes of the batch; of a mark the number of the comparison (8)
 */
public record RaftEntry(long term, long position, int piece, boolean isLast, ByteBuffer bytes) {
  public static final int HEADER_BYTES = 22;
  private static final byte VERSION = 1;
  private static final byte EMPTY = 0;
  private static final byte PIECE = 1;
  private static final byte LAST_PIECE = 2;
  private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);

  public static RaftEntry empty(long term) {
    return new RaftEntry(term, 0, 0, true, NO_BYTES);
  }

  /**
   * The mark of a comparison of stores, as they are after the batches before it.
   *
   * @param id of the comparison
   */
  public static RaftEntry mark(long term, long id) {
    return new RaftEntry(term, 0, 0, true, ByteBuffer.allocate(Long.BYTES).putLong(0, id));
  }

  /** Whether it is no batch. */
  public boolean isEmpty() {
    return position == 0;
  }

  /** Of which comparison it is the mark; 0: of none. */
  public long comparison() {
    return isEmpty() && bytes.remaining() == Long.BYTES ? bytes.getLong(bytes.position()) : 0;
  }

  /** Copies the bytes, which the caller may use again. */
  public ByteString encode() {
    ByteBuffer target = ByteBuffer.allocate(HEADER_BYTES + bytes.remaining());
    target.put(VERSION).put(isEmpty() ? EMPTY : isLast ? LAST_PIECE : PIECE);
    target.putInt(piece).putLong(term).putLong(position).put(bytes.duplicate());
    return UnsafeByteOperations.unsafeWrap(target.flip());
  }

  /**
   * @throws StoreException when it was written by a version that this one does not know
   */
  public static RaftEntry decode(ByteString encoded) {
    ByteBuffer source = encoded.asReadOnlyByteBuffer();
    if (source.remaining() < HEADER_BYTES || source.get() != VERSION) {
      throw new StoreException(
          "An entry of the Raft log is of a version that this server does not know. Run the same"
              + " version of Acacia on all members");
    }
    byte kind = source.get();
    int piece = source.getInt();
    long term = source.getLong();
    long position = source.getLong();
    return new RaftEntry(term, position, piece, kind != PIECE, source.slice());
  }
}
