package io.acaciafs.kv.hbase.lock;

import io.acaciafs.kv.hbase.read.PageRead;
import io.acaciafs.kv.hbase.read.TableClient;
import io.acaciafs.kv.hbase.schema.Columns;
import io.acaciafs.kv.hbase.schema.TransactionRecord;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Finishes committed transactions whose owner ended before it had written all rows. Records are a
 * family of their own, and few, so all are read. This does no harm to a living owner: each step
 * takes effect once, in whatever process.
 */
public final class TransactionRecovery {
  private static final int PAGE = 1_000;

  private final TableClient table;
  private final LockResolver locks;

  public TransactionRecovery(TableClient table, LockResolver locks) {
    this.table = table;
    this.locks = locks;
  }

  public void run() {
    byte[] next = new byte[0];
    while (next != null) {
      PageRead.Page page =
          table.page(new Scan().withStartRow(next).addFamily(Columns.RECORDS).setLimit(PAGE));
      for (Result row : page.rows()) {
        for (Cell cell : row.rawCells()) {
          recover(row.getRow(), cell);
        }
      }
      next = page.next();
    }
  }

  private void recover(byte[] row, Cell cell) {
    if (CellUtil.cloneQualifier(cell)[0] != Columns.RECORD) {
      return; // of a fencing token's row
    }
    byte[] record = CellUtil.cloneValue(cell);
    if (TransactionRecord.isCommitted(record)) {
      locks.recover(row, Columns.transactionOf(CellUtil.cloneQualifier(cell)), record);
    }
  }
}
