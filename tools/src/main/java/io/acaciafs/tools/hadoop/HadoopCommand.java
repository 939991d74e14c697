package io.acaciafs.tools.hadoop;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.balancer.Balancer;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.hdfs.tools.CacheAdmin;
import org.apache.hadoop.hdfs.tools.CryptoAdmin;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.hdfs.tools.DFSHAAdmin;
import org.apache.hadoop.hdfs.tools.DebugAdmin;
import org.apache.hadoop.hdfs.tools.DiskBalancerCLI;
import org.apache.hadoop.hdfs.tools.ECAdmin;
import org.apache.hadoop.hdfs.tools.GetConf;
import org.apache.hadoop.hdfs.tools.GetGroups;
import org.apache.hadoop.hdfs.tools.StoragePolicyAdmin;
import org.apache.hadoop.hdfs.tools.offlineEditsViewer.OfflineEditsViewer;
import org.apache.hadoop.hdfs.tools.offlineImageViewer.OfflineImageViewerPB;
import org.apache.hadoop.hdfs.tools.snapshot.LsSnapshottableDir;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Hadoop's own commands, unmodified, with the configuration of {@code bin/acacia}.
 *
 * <p>Hadoop's code reads the arguments itself: {@code -ls} is a word of the shell, and a path may
 * look like an option of the {@code acacia} command. So they never pass through picocli.
 *
 * <p>The commands are lambdas and not method references, with which Java would load the classes of
 * all commands at each start.
 */
public enum HadoopCommand {
  FS(new FsCommand(), "Hadoop's file system shell, e.g.: acacia fs -ls /", "fs", "dfs"),
  DFSADMIN(
      tool(conf -> new DFSAdmin(conf)),
      "Hadoop's administration, e.g.: acacia dfsadmin -report",
      "dfsadmin"),
  FSCK(new FsckCommand(), "Hadoop's check of files and blocks, e.g.: acacia fsck /", "fsck"),
  DATANODE(new DataNodeCommand(), "Runs Hadoop's DataNode.", "datanode"),
  BALANCER(
      main(args -> Balancer.main(args)),
      "Hadoop's balancer: evens out how full DataNodes are.",
      "balancer"),
  MOVER(
      main(args -> Mover.main(args)),
      "Hadoop's mover: moves blocks to where storage policies want them.",
      "mover"),
  STORAGE_POLICIES(
      tool(conf -> new StoragePolicyAdmin(conf)),
      "Shows and sets storage policies.",
      "storagepolicies"),
  DISK_BALANCER(
      tool(conf -> new DiskBalancerCLI(conf)),
      "Evens out how full the disks of one DataNode are.",
      "diskbalancer"),
  DISTCP(new DistCpCommand(), "Hadoop's distributed copy, by MapReduce.", "distcp"),
  GROUPS(
      tool(conf -> new GetGroups(conf)),
      "Shows the groups of users, as the NameNode sees them.",
      "groups"),
  GETCONF(main(args -> GetConf.main(args)), "Shows values of the configuration.", "getconf"),
  HAADMIN(tool(conf -> new DFSHAAdmin()), "Shows the states of several NameNodes.", "haadmin"),
  EC(tool(conf -> new ECAdmin(conf)), "Shows and sets erasure coding policies.", "ec"),
  CRYPTO(tool(conf -> new CryptoAdmin(conf)), "Shows encryption zones.", "crypto"),
  CACHEADMIN(tool(conf -> new CacheAdmin(conf)), "Shows cache pools and directives.", "cacheadmin"),
  LS_SNAPSHOTTABLE_DIR(
      tool(conf -> new LsSnapshottableDir()),
      "Lists the directories that may have snapshots.",
      "lsSnapshottableDir"),
  DEBUG(tool(conf -> new DebugAdmin(conf)), "Verifies block files and recovers leases.", "debug"),
  OIV(
      args -> OfflineImageViewerPB.run(args),
      "Reads images, e.g. those of 'acacia export'.",
      "oiv"),
  OEV(tool(conf -> new OfflineEditsViewer()), "Reads edit logs of Hadoop's NameNode.", "oev");

  private final VerbatimCommand command;
  private final String description;
  private final String[] names;

  HadoopCommand(VerbatimCommand command, String description, String... names) {
    this.command = command;
    this.description = description;
    this.names = names;
  }

  /** The command of a name; empty where Hadoop has none, or it does not work here. */
  public static Optional<HadoopCommand> of(String name) {
    return Arrays.stream(values())
        .filter(command -> Arrays.asList(command.names).contains(name))
        .findFirst();
  }

  /** What users call it by; the first is its own, others are aliases. At least one. */
  public String[] names() {
    return names.clone();
  }

  /** One sentence for the list of commands. */
  public String description() {
    return description;
  }

  /**
   * Runs it.
   *
   * @param args all that follows the command's name, untouched
   * @return the exit code; some of Hadoop's commands end the JVM with theirs instead
   */
  public int run(String[] args) throws Exception {
    return command.run(args);
  }

  private static VerbatimCommand tool(Function<Configuration, Tool> newTool) {
    return args -> {
      Configuration conf = new HdfsConfiguration();
      return ToolRunner.run(conf, newTool.apply(conf), args);
    };
  }

  /** For commands whose constructors are not public: they end the JVM themselves. */
  private static VerbatimCommand main(Main main) {
    return args -> {
      main.run(args);
      return 0;
    };
  }

  @FunctionalInterface
  private interface Main {
    void run(String[] args) throws Exception;
  }
}
