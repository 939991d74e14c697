package io.acaciafs.wire;

/**
 * Reads the fields of a Protocol Buffers message by hand, for messages that are read so often that
 * building the generated classes for them would cost too much. What a subclass does not expect, or
 * what no encoder writes, makes the message {@linkplain #isStrange strange}: then the generated
 * class reads it again, so both read the same language.
 *
 * <p>May be used for one message after the other. Used by one thread.
 */
public abstract class WireReader {
  /** Wire types, the low three bits of a tag. */
  protected static final int VARINT = 0;

  protected static final int LENGTH_DELIMITED = 2;

  /** Of the tenth byte of a number, which holds its highest bit alone. */
  private static final int LAST_SHIFT = 63;

  /** A tag that no message has: what follows cannot be read by hand. */
  private static final int NO_TAG = -1;

  private byte[] bytes = {};
  private int position;
  private boolean strange;

  /** Begins a message. */
  protected final void begin(byte[] buffer, int offset) {
    bytes = buffer;
    position = offset;
    strange = false;
  }

  /** Whether something came that is not read by hand; what was read since means nothing. */
  protected final boolean isStrange() {
    return strange;
  }

  protected final void setStrange() {
    strange = true;
  }

  protected final byte[] buffer() {
    return bytes;
  }

  /** Where the next field begins. */
  protected final int position() {
    return position;
  }

  protected final void moveTo(int newPosition) {
    position = newPosition;
  }

  /** The tag of the next field, if it has one byte; else one that no field has. */
  protected final int tag() {
    int tag = bytes[position++];
    return tag > 0 ? tag : NO_TAG;
  }

  /**
   * A number.
   *
   * @param end of the message that it belongs to
   */
  protected final long varint(int end) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE && position < end; shift += 7) {
      byte next = bytes[position++];
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        strange |= shift == LAST_SHIFT && next != 1; // no encoder writes that
        return value;
      }
    }
    strange = true;
    return 0;
  }

  /**
   * A number of the type sint32.
   *
   * @param end of the message that it belongs to
   */
  protected final int signed32(int end) {
    long zigzag = varint(end);
    strange |= zigzag >>> Integer.SIZE != 0;
    return (int) (zigzag >>> 1) ^ -(int) (zigzag & 1);
  }

  /** Where the message ends whose length comes next; never behind {@code limit}. */
  protected final int endOfMessage(int limit) {
    long length = varint(limit);
    if (length < 0 || length > limit - position) {
      strange = true;
      return limit;
    }
    return position + (int) length;
  }
}
