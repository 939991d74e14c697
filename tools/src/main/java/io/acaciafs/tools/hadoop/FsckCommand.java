package io.acaciafs.tools.hadoop;

import java.util.Set;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.util.ToolRunner;

/** Hadoop's check of files and their blocks. */
final class FsckCommand implements VerbatimCommand {
  private static final Set<String> HELP = Set.of("-help", "-h", "--help");

  @Override
  public int run(String[] args) throws Exception {
    DFSck fsck = new DFSck(new HdfsConfiguration());
    if (args.length > 0 && HELP.contains(args[0])) {
      fsck.run(new String[0]); // prints its usage
      return 0;
    }
    // as the first argument -files would be one of Hadoop's generic options
    return args.length == 0 || args[0].equals("-files")
        ? fsck.run(new String[0])
        : ToolRunner.run(fsck, args);
  }
}
