package io.acaciafs.hbase.protocol;

import java.util.BitSet;

/** What became of a {@link CommitRequest}. Immutable. */
public final class CommitReply {
  private final boolean isHeld;
  private final BitSet refused;

  /**
   * @param isHeld whether the conditions of all held; else nothing is written
   * @param refused the transactions of which nothing is written, by their numbers
   */
  public CommitReply(boolean isHeld, BitSet refused) {
    this.isHeld = isHeld;
    this.refused = (BitSet) refused.clone();
  }

  public boolean isHeld() {
    return isHeld;
  }

  public BitSet refused() {
    return (BitSet) refused.clone();
  }

  public byte[] encode() {
    MessageOutput output = new MessageOutput();
    output.writeByte(isHeld ? 1 : 0);
    output.writeBytes(refused.toByteArray());
    return output.toByteArray();
  }

  public static CommitReply decode(byte[] message) {
    MessageInput input = new MessageInput(message);
    boolean isHeld = input.readByte() == 1;
    return new CommitReply(isHeld, BitSet.valueOf(input.readBytes()));
  }
}
