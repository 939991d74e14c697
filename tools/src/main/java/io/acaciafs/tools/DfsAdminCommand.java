package io.acaciafs.tools;

import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.util.ToolRunner;
import picocli.CommandLine.Command;

/** Hadoop's administration of a file system. */
@Command(
    name = "dfsadmin",
    description = "Hadoop's administration commands, e.g.: acacia dfsadmin -report")
final class DfsAdminCommand implements VerbatimCommand {

  @Override
  public int run(String[] args) throws Exception {
    return ToolRunner.run(new DFSAdmin(new HdfsConfiguration()), args);
  }
}
