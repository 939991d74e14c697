package io.acaciafs.hbase.protocol;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The family {@link Family#DATA} of rows, and pages of rows, both in the order of their {@link
 * ReadRequest}. Immutable.
 */
public final class ReadReply {
  private final List<StoredRow> rows;
  private final List<StoredPage> pages;

  /** Keeps the lists; they must not change afterwards. */
  public ReadReply(List<StoredRow> rows, List<StoredPage> pages) {
    this.rows = rows;
    this.pages = pages;
  }

  public List<StoredRow> rows() {
    return rows;
  }

  /** Empty if the coprocessor is of a version without pages. */
  public List<StoredPage> pages() {
    return pages;
  }

  public byte[] encode() {
    MessageOutput output = new MessageOutput();
    output.writeInt(rows.size());
    rows.forEach(row -> row.write(output));
    if (!pages.isEmpty()) { // an older NameNode requests none
      output.writeInt(pages.size());
      pages.forEach(page -> page.write(output));
    }
    return output.toByteArray();
  }

  public static ReadReply decode(byte[] message) {
    MessageInput input = new MessageInput(message);
    int count = input.readCount();
    List<StoredRow> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      rows.add(StoredRow.read(input));
    }
    if (input.isAtEnd()) {
      return new ReadReply(rows, Collections.emptyList());
    }
    int pageCount = input.readCount();
    List<StoredPage> pages = new ArrayList<>(pageCount);
    for (int i = 0; i < pageCount; i++) {
      pages.add(StoredPage.read(input));
    }
    return new ReadReply(rows, pages);
  }
}
