package io.acaciafs.systemtests.suites;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.contract.AbstractFSContract;

/** Points Hadoop's contract suites at the shared cluster, which promises what HDFS promises. */
class AcaciaContract extends AbstractFSContract {

  AcaciaContract(Configuration conf) {
    super(conf);
    addConfResource("contract/hdfs.xml");
  }

  @Override
  public FileSystem getTestFileSystem() throws IOException {
    // The cached one: the suites do not close it.
    return FileSystem.get(SharedCluster.uri(), SharedCluster.configuration());
  }

  @Override
  public String getScheme() {
    return "hdfs";
  }

  @Override
  public Path getTestPath() {
    return new Path("/test");
  }
}
