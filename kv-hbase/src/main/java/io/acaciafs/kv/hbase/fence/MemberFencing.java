package io.acaciafs.kv.hbase.fence;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.hbase.lock.LockResolver;
import io.acaciafs.kv.hbase.read.PageRead;
import io.acaciafs.kv.hbase.read.TableClient;
import io.acaciafs.kv.hbase.region.IdempotentRequests;
import io.acaciafs.kv.hbase.schema.Columns;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/** Fences dead processes off by removing their tokens. Blocks; safe for use by many threads. */
public final class MemberFencing {
  private static final int PAGE = 1_000;

  private final TableClient table;
  private final LockResolver locks;
  private final IdempotentRequests requests;
  private final RandomGenerator random;

  public MemberFencing(
      TableClient table, LockResolver locks, IdempotentRequests requests, RandomGenerator random) {
    this.table = table;
    this.locks = locks;
    this.requests = requests;
    this.random = random;
  }

  /**
   * Removes all tokens of a process whose member row was removed.
   *
   * @throws StoreException if the row is still there, or HBase does not answer in time
   */
  public void fenceOff(byte[] member) {
    if (locks.settle(member, table.read(member)).exists()) {
      throw new StoreException("It is still there, and so may make new fencing tokens");
    }
    byte[] next = new byte[0];
    while (next != null) {
      Scan scan =
          new Scan().withStartRow(next).addColumn(Columns.RECORDS, Columns.TOKEN).setLimit(PAGE);
      PageRead.Page page = table.provenPage(scan);
      for (Result row : page.rows()) {
        if (Arrays.equals(CellUtil.cloneValue(row.rawCells()[0]), member)) {
          RegionRequest request = new RegionRequest(random);
          request.deleteToken(row.getRow());
          request.deleteReceipt(row.getRow());
          requests.send(request, "remove a fencing token");
        }
      }
      next = page.next();
    }
  }
}
