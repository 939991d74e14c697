package io.acaciafs.systemtests.harness;

import io.acaciafs.namenode.check.CheckOptions;
import io.acaciafs.namenode.check.CheckReport;
import io.acaciafs.namenode.store.StoreToCheck;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** What {@code acacia check} says of a store in which nothing is under way. */
public final class StoreReport {
  private static final long SETTLE_MS = 100;

  private StoreReport() {}

  /**
   * Checks from this process.
   *
   * @param conf of a NameNode that is stopped, or whose engine can be shared
   * @return all that is damaged
   */
  public static List<String> damage(Configuration conf) throws Exception {
    StringWriter text = new StringWriter();
    try (StoreToCheck store = StoreToCheck.open(conf, false)) {
      if (store == null) {
        throw new AssertionError("The NameNode has the store");
      }
      store.check(new CheckOptions(false, 100, SETTLE_MS), new CheckReport(new PrintWriter(text)));
    }
    List<String> lines = text.toString().lines().toList();
    if (!lines.get(lines.size() - 1).startsWith(CheckReport.STATUS)) {
      throw new AssertionError("The check did not end: " + text);
    }
    return lines.stream().filter(line -> line.startsWith("DAMAGE")).toList();
  }
}
