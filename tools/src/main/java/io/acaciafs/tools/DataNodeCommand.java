package io.acaciafs.tools;

import org.apache.hadoop.hdfs.server.datanode.DataNode;
import picocli.CommandLine.Command;

/** Hadoop's own DataNode, unmodified. */
@Command(name = "datanode", description = "Runs Hadoop's DataNode; takes its arguments.")
final class DataNodeCommand implements VerbatimCommand {

  @Override
  public int run(String[] args) {
    Logging.toConsole();
    // Returns only for -help: otherwise it ends the JVM with its own exit code.
    DataNode.main(args);
    return 0;
  }
}
