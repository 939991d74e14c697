package io.acaciafs.tools.hadoop;

import java.util.Set;
import org.apache.hadoop.tools.DistCp;
import org.apache.hadoop.tools.OptionsParser;

/**
 * Hadoop's DistCp, unmodified, but for its help: DistCp takes a request for help for a mistake, and
 * prints a stack trace with it.
 */
final class DistCpCommand implements VerbatimCommand {
  private static final Set<String> HELP = Set.of("-h", "-help", "--help");

  @Override
  public int run(String[] args) {
    if (args.length == 1 && HELP.contains(args[0])) {
      OptionsParser.usage();
      return 0;
    }
    DistCp.main(args); // ends the JVM with its own exit code
    return 0;
  }
}
