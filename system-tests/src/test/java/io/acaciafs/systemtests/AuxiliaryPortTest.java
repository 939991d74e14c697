package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.systemtests.harness.Cluster;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;

/** Block tokens tell the protection of the port where they are given. */
class AuxiliaryPortTest {
  private static final Path FILE = new Path("/file");

  private static String told(DFSClient client) throws IOException {
    LocatedBlock block = client.getNamenode().getBlockLocations(FILE.toString(), 0, 9).get(0);
    byte[] qop = block.getBlockToken().decodeIdentifier().getHandshakeMsg();
    return new String(qop, StandardCharsets.UTF_8);
  }

  /** The same user at the same address, whose next request has the same bytes. */
  @Test
  void aReplyThatIsGivenAgainIsForTheSameProtection() throws Exception {
    int port = FreePorts.next();
    try (Cluster cluster =
        Cluster.builder("auxiliary-port")
            .set("dfs.block.access.token.enable", true)
            .set("dfs.namenode.delegation.token.always-use", true)
            .set("dfs.namenode.send.qop.enabled", true)
            .set("dfs.namenode.rpc-address.auxiliary-ports", port)
            .set("dfs.namenode.servicerpc-address", "127.0.0.1:" + FreePorts.next())
            .start()) {
      DistributedFileSystem fs = cluster.fileSystem();
      try (FSDataOutputStream out = fs.create(FILE)) {
        out.write(new byte[9]);
      }
      URI uri = URI.create("hdfs://127.0.0.1:" + port);
      Token<?> token = new Token<>(fs.getDelegationToken("renewer"));
      token.setService(new Text(uri.getAuthority()));
      UserGroupInformation holder =
          UserGroupInformation.createRemoteUser(
              UserGroupInformation.getCurrentUser().getUserName());
      holder.addToken(token);
      try (DFSClient there =
          holder.doAs(
              (PrivilegedExceptionAction<DFSClient>)
                  () -> new DFSClient(uri, cluster.clientConfiguration()))) {
        for (int i = 0; i < 5; i++) {
          assertThat(told(fs.getClient())).isEmpty();
          assertThat(told(fs.getClient())).isEmpty();
          assertThat(told(there)).isEqualTo("auth");
          assertThat(told(there)).isEqualTo("auth");
        }
      }
    }
  }
}
