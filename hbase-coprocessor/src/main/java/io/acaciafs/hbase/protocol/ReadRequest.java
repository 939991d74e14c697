package io.acaciafs.hbase.protocol;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of one region to read, and pages of rows, each at a moment of its own. Immutable. */
public final class ReadRequest {
  private final List<byte[]> rows;
  private final List<PageRequest> pages;

  /** Keeps the lists; they must not change afterwards. */
  public ReadRequest(List<byte[]> rows, List<PageRequest> pages) {
    this.rows = rows;
    this.pages = pages;
  }

  public List<byte[]> rows() {
    return rows;
  }

  public List<PageRequest> pages() {
    return pages;
  }

  /** A row of those that it reads; null if it reads none. */
  public byte @Nullable [] anyRow() {
    if (!rows.isEmpty()) {
      return rows.get(0);
    }
    return pages.isEmpty() ? null : pages.get(0).first();
  }

  public byte[] encode() {
    MessageOutput output = new MessageOutput();
    output.writeInt(rows.size());
    rows.forEach(output::writeBytes);
    if (!pages.isEmpty()) { // an older coprocessor does not read on
      output.writeInt(pages.size());
      pages.forEach(page -> page.write(output));
    }
    return output.toByteArray();
  }

  public static ReadRequest decode(byte[] message) {
    MessageInput input = new MessageInput(message);
    List<byte[]> rows = Rows.readAll(input).all();
    if (input.isAtEnd()) {
      return new ReadRequest(rows, Collections.emptyList());
    }
    int count = input.readCount();
    List<PageRequest> pages = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      pages.add(PageRequest.read(input));
    }
    return new ReadRequest(rows, pages);
  }
}
