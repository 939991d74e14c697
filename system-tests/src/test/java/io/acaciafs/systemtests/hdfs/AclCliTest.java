package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.cli.TestAclCLI;
import org.junit.jupiter.api.BeforeAll;

/** Hadoop's tests of the same name. */
class AclCliTest extends TestAclCLI {

  @BeforeAll
  static void findFiles() {
    CliFiles.extract();
  }
}
