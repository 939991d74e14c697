package io.acaciafs.tools.hadoop;

import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.util.ToolRunner;

/** Hadoop's file system shell. */
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
