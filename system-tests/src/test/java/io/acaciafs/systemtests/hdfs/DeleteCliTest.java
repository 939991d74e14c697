package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.cli.TestDeleteCLI;
import org.junit.jupiter.api.BeforeAll;

/** Hadoop's tests of the same name. */
class DeleteCliTest extends TestDeleteCLI {

  @BeforeAll
  static void findFiles() {
    CliFiles.extract();
  }
}
