package io.acaciafs.hbase.protocol;

/** The family {@link Family#DATA} of rows that follow each other, kept as it is sent. Immutable. */
public final class StoredPage {
  private final byte[] rows;
  private final boolean hasMore;

  private StoredPage(byte[] rows, boolean hasMore) {
    this.rows = rows;
    this.hasMore = hasMore;
  }

  /** Receives the rows of a page in their order. */
  @FunctionalInterface
  public interface Receiver {
    void row(byte[] key, StoredRow row);
  }

  /** Collects the rows of a page. For one thread. */
  public static final class Builder {
    private final MessageOutput output = new MessageOutput();

    public void add(byte[] key, StoredRow row) {
      output.writeBytes(key);
      row.write(output);
    }

    /** The size of the rows so far. */
    public int bytes() {
      return output.size();
    }

    /**
     * @param hasMore whether rows may follow before the end that was asked for
     */
    public StoredPage build(boolean hasMore) {
      return new StoredPage(output.toByteArray(), hasMore);
    }
  }

  public boolean hasMore() {
    return hasMore;
  }

  /** The size of its rows in a message. */
  public int bytes() {
    return rows.length;
  }

  public void forEach(Receiver receiver) {
    MessageInput input = new MessageInput(rows);
    while (!input.isAtEnd()) {
      receiver.row(input.readBytes(), StoredRow.read(input));
    }
  }

  void write(MessageOutput output) {
    output.writeByte(hasMore ? 1 : 0);
    output.writeBytes(rows);
  }

  static StoredPage read(MessageInput input) {
    boolean hasMore = input.readByte() != 0;
    return new StoredPage(input.readBytes(), hasMore);
  }
}
