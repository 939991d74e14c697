package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.hdfs.tools.DFSHAAdmin;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.hdfs.tools.StoragePolicyAdmin;
import org.apache.hadoop.tools.DistCp;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * A program that runs commands of Hadoop one after the other, as a shell would, but in one JVM.
 * Each argument is a command with its arguments; after what it prints comes a line {@code [exit
 * N]}.
 */
public final class HadoopCommands {
  /** What the line after each command begins with. */
  static final String EXIT = "[exit ";

  private static final Duration LIVE_LIMIT = Duration.ofMinutes(3);

  private HadoopCommands() {}

  /** Runs all, whatever one of them returns. */
  public static void main(String[] commands) throws Exception {
    for (String command : commands) {
      List<String> words = Arrays.asList(command.split(" "));
      int code;
      try {
        code = run(words.get(0), words.subList(1, words.size()).toArray(String[]::new));
      } catch (IOException | IllegalArgumentException e) {
        System.out.println(e);
        code = -1;
      }
      System.err.flush();
      System.out.println("\n" + EXIT + code + "]");
    }
  }

  private static int run(String name, String... arguments) throws Exception {
    Configuration conf = new HdfsConfiguration();
    return switch (name) {
      case "fs" -> ToolRunner.run(conf, new FsShell(), arguments);
      case "dfsadmin" -> ToolRunner.run(conf, new DFSAdmin(), arguments);
      case "haadmin" -> ToolRunner.run(conf, new DFSHAAdmin(), arguments);
      case "storagepolicies" -> ToolRunner.run(conf, new StoragePolicyAdmin(conf), arguments);
      case "fsck" -> ToolRunner.run(conf, new DFSck(conf), arguments);
      case "distcp" -> ToolRunner.run(conf, (Tool) new DistCp(conf, null), arguments);
      case "await-datanodes" -> awaitDataNodes(conf, Integer.parseInt(arguments[0]));
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** Returns when so many DataNodes have told of their disks and the namespace can be written. */
  private static int awaitDataNodes(Configuration conf, int count) throws Exception {
    try (DistributedFileSystem fs =
        (DistributedFileSystem) FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf)) {
      Await.until(
          count + " DataNodes",
          LIVE_LIMIT,
          () ->
              Arrays.stream(fs.getDataNodeStats(DatanodeReportType.LIVE))
                          .filter(node -> node.getCapacity() > 0)
                          .count()
                      == count
                  && !fs.setSafeMode(SafeModeAction.GET));
    }
    return 0;
  }
}
