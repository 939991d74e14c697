package io.acaciafs.systemtests.harness;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.util.ToolRunner;

/**
 * {@code hdfs dfsadmin} in the test's process, whose output it takes meanwhile.
 *
 * @param code its exit code
 * @param text what it printed, log lines left out
 */
public record DfsAdminCommand(int code, String text) {
  /** Runs it to its end. */
  public static DfsAdminCommand run(Configuration site, String... arguments) throws Exception {
    Configuration conf = new Configuration(site);
    conf.setBoolean("fs.hdfs.impl.disable.cache", true); // another cluster may have had the name
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream printed = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      System.setOut(printed);
      System.setErr(printed);
      int code = ToolRunner.run(new DFSAdmin(conf), arguments);
      return new DfsAdminCommand(
          code,
          bytes
              .toString(StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.matches(".* (INFO|WARN|DEBUG) .*"))
              .reduce("", (text, line) -> text.isEmpty() ? line : text + "\n" + line));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }
}
