package io.acaciafs.namespace.op.file;

import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.OperationTest;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException;
import org.junit.jupiter.api.Test;

class FsyncTest extends OperationTest {
  @Test
  void theLengthOnlyGrows() throws IOException {
    long id = fs.open("/f");
    fs.run(new Fsync("/f", id, CLIENT, 5));
    assertThat(fs.fileAt("/f").lengthBytes()).isZero();
    fs.addBlock("/f", id, null);
    fs.run(new Fsync("/f", id, CLIENT, 50));
    fs.run(new Fsync("/f", id, CLIENT, -1));
    fs.run(new Fsync("/f", id, CLIENT, 20));
    assertThat(fs.fileAt("/f").lengthBytes()).isEqualTo(50);
    assertRefused(new Fsync("/f", id, "client_2", 60)).isInstanceOf(LeaseExpiredException.class);
  }
}
