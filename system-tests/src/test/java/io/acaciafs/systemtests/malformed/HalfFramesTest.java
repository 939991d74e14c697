package io.acaciafs.systemtests.malformed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.RawRpc;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Requests that begin and do not end, and names of megabytes, do not end a NameNode of 768 MB. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HalfFramesTest {
  private static final int MIB = 1 << 20;
  private static final int CONNECTIONS = 19;
  private static final int DECLARED_BYTES = 31 * MIB;

  private Cluster cluster;
  private final List<RawRpc> connections = new ArrayList<>();

  @BeforeAll
  void start() throws Exception {
    cluster = Cluster.builder("half-frames").dataNodes(0).start();
  }

  @AfterAll
  void stop() throws Exception {
    cluster.close();
  }

  @AfterEach
  void othersAreServed() throws Exception {
    assertThat(cluster.fileSystem().mkdirs(new Path("/served"))).isTrue();
    assertThat(cluster.nameNode().isAlive()).isTrue();
    for (RawRpc connection : connections) {
      connection.close();
    }
    connections.clear();
  }

  private void sendHalfFrames(String user) throws IOException {
    byte[] part = new byte[MIB];
    for (int i = 0; i < CONNECTIONS; i++) {
      RawRpc connection = new RawRpc(cluster.port());
      connections.add(connection);
      try {
        connection.sendPreamble();
        if (user != null) {
          connection.sendContext(user, ClientProtocol.class.getName());
        }
        connection.sendInt(DECLARED_BYTES);
        for (int sent = 0; sent < DECLARED_BYTES - MIB; sent += MIB) {
          connection.send(part);
        }
      } catch (IOException closed) {
        continue; // as it may be, at any byte
      }
      assertThat(cluster.fileSystem().exists(new Path("/"))).isTrue();
    }
  }

  @Test
  void ofStrangers() throws Exception {
    sendHalfFrames(null);
  }

  @Test
  void ofUsers() throws Exception {
    sendHalfFrames("mallory");
  }

  @Test
  void renewalsByNamesOfMegabytes() {
    String name = "x".repeat(MIB);
    for (int i = 0; i < 200; i++) {
      String client = i + name;
      assertThatThrownBy(
              () -> cluster.fileSystem().getClient().getNamenode().renewLease(client, null))
          .isInstanceOf(RemoteException.class)
          .hasMessageContaining("at most 4096 are allowed");
    }
  }
}
