package io.acaciafs.tools.hadoop;

import io.acaciafs.tools.common.Logging;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** Hadoop's own DataNode, unmodified. */
final class DataNodeCommand implements VerbatimCommand {

  @Override
  public int run(String[] args) {
    Logging.toConsole();
    // Returns only for -help: otherwise it ends the JVM with its own exit code.
    DataNode.main(args);
    return 0;
  }
}
