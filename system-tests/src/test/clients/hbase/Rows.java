import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** Fails unless PerformanceEvaluation's table has the rows 0 to N-1, whose keys are their numbers. */
final class Rows {
  public static void main(String[] args) throws Exception {
    long expected = Long.parseLong(args[0]);
    Scan scan = new Scan().setFilter(new FirstKeyOnlyFilter()).setCaching(1000);
    long next = 0;
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Table table = connection.getTable(TableName.valueOf("TestTable"));
        ResultScanner rows = table.getScanner(scan)) {
      for (Result row : rows) {
        if (Long.parseLong(Bytes.toString(row.getRow())) != next++) {
          throw new AssertionError("row " + (next - 1) + " is missing before " + row);
        }
      }
    }
    if (next != expected) {
      throw new AssertionError("only " + next + " rows");
    }
    System.out.println("all " + next + " rows are there");
  }
}
