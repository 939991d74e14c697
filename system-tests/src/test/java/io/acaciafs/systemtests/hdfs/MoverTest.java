package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.server.mover.TestMover;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Hadoop's test of the mover with Kerberos. */
@ExtendWith({LoginsEnd.class, ClassesInAFolder.class})
class MoverTest extends TestMover {

  @RegisterExtension
  static final Only WITH_KERBEROS = new Only("has no security", "testMoverWithKeytabs");
}
