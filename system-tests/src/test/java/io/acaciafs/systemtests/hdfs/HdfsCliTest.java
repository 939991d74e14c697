package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.cli.TestHDFSCLI;
import org.junit.jupiter.api.BeforeAll;

/** Hadoop's tests of the same name. */
class HdfsCliTest extends TestHDFSCLI {

  @BeforeAll
  static void findFiles() {
    CliFiles.extract();
  }
}
