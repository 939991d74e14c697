package io.acaciafs.hbase.protocol;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Transactions of rows of one region, to be judged one after the other: each sees what those before
 * it changed. None is judged if a condition of {@code common} does not hold. Immutable.
 */
public final class CommitRequest {
  private final ConditionalWrite common;
  private final List<ConditionalWrite> transactions;

  /**
   * @param common what holds for all: if its conditions hold, its changes are made, whatever
   *     becomes of the transactions
   */
  public CommitRequest(ConditionalWrite common, List<ConditionalWrite> transactions) {
    this.common = common;
    this.transactions = transactions;
  }

  /** One of its rows; null where it names none. */
  public byte @Nullable [] anyRow() {
    byte[] row = common.anyRow();
    for (int i = 0; row == null && i < transactions.size(); i++) {
      row = transactions.get(i).anyRow();
    }
    return row;
  }

  public ConditionalWrite common() {
    return common;
  }

  public List<ConditionalWrite> transactions() {
    return transactions;
  }

  public byte[] encode() {
    Rows.Writer rows = new Rows.Writer();
    MessageOutput writes = new MessageOutput();
    common.write(writes, rows);
    writes.writeInt(transactions.size());
    for (ConditionalWrite transaction : transactions) {
      transaction.write(writes, rows);
    }
    MessageOutput output = new MessageOutput();
    rows.write(output);
    output.writeBytes(writes.toByteArray());
    return output.toByteArray();
  }

  public static CommitRequest decode(byte[] message) {
    MessageInput input = new MessageInput(message);
    Rows rows = Rows.readAll(input);
    MessageInput writes = new MessageInput(input.readBytes());
    ConditionalWrite common = ConditionalWrite.read(writes, rows);
    int count = writes.readCount();
    List<ConditionalWrite> transactions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      transactions.add(ConditionalWrite.read(writes, rows));
    }
    return new CommitRequest(common, transactions);
  }
}
