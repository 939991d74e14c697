package io.acaciafs.hbase.protocol;

/** Rows of one region to read at one moment, by their order. Immutable. */
public final class PageRequest {
  private final byte[] first;
  private final byte[] end;
  private final int limit;

  /**
   * @param first where the rows begin
   * @param end the first row that is not of them; empty for the end of the region
   * @param limit the number of rows at which the page ends
   */
  public PageRequest(byte[] first, byte[] end, int limit) {
    this.first = first;
    this.end = end;
    this.limit = limit;
  }

  public byte[] first() {
    return first;
  }

  public byte[] end() {
    return end;
  }

  public int limit() {
    return limit;
  }

  void write(MessageOutput output) {
    output.writeBytes(first);
    output.writeBytes(end);
    output.writeInt(limit);
  }

  static PageRequest read(MessageInput input) {
    return new PageRequest(input.readBytes(), input.readBytes(), input.readInt());
  }
}
