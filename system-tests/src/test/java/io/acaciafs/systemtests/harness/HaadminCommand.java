package io.acaciafs.systemtests.harness;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.tools.DFSHAAdmin;

/**
 * {@code hdfs haadmin} in the test's process. Says yes where it asks whether one is sure.
 *
 * @param code its exit code
 * @param text what it printed
 */
public record HaadminCommand(int code, String text) {
  /** Runs it to its end. */
  public static HaadminCommand run(Configuration site, String... arguments) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream printed = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      int code = new Printing(site, printed).run(arguments);
      return new HaadminCommand(code, bytes.toString(StandardCharsets.UTF_8));
    }
  }

  private static final class Printing extends DFSHAAdmin {
    Printing(Configuration site, PrintStream printed) {
      setConf(site);
      out = printed;
      errOut = printed;
    }

    @Override
    protected boolean confirmForceManual() {
      return true;
    }
  }
}
