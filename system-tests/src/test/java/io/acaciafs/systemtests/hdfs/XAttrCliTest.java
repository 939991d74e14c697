package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.cli.TestXAttrCLI;
import org.junit.jupiter.api.BeforeAll;

/** Hadoop's tests of the same name. */
class XAttrCliTest extends TestXAttrCLI {

  @BeforeAll
  static void findFiles() {
    CliFiles.extract();
  }
}
