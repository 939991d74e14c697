package io.acaciafs.tools;

import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.ToolRunner;
import picocli.CommandLine.Command;

/** Hadoop's file system shell. */
@Command(
    name = "fs",
    aliases = "dfs",
    description = "Hadoop's file system shell, e.g.: acacia fs -ls /")
final class FsCommand implements VerbatimCommand {

  @Override
  public int run(String[] args) throws Exception {
    FsShell shell = new FsShell(new HdfsConfiguration());
    try {
      return ToolRunner.run(shell, args);
    } finally {
      shell.close();
    }
  }
}
