package io.acaciafs.rpc.testkit;

import io.acaciafs.rpc.RpcServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.GetECTopologyResultForPoliciesRequestProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Hadoop's own client of {@link TestService}. Its calls throw what the server sent. */
public final class TestClient implements AutoCloseable {
  private final ClientNamenodeProtocolPB proxy;

  public TestClient(RpcServer server) throws IOException {
    this(server.address(), new Configuration(), UserGroupInformation.createRemoteUser("alice"));
  }

  public TestClient(InetSocketAddress address, Configuration conf, UserGroupInformation user)
      throws IOException {
    RPC.setProtocolEngine(conf, ClientNamenodeProtocolPB.class, ProtobufRpcEngine2.class);
    proxy =
        RPC.getProtocolProxy(
                ClientNamenodeProtocolPB.class,
                RPC.getProtocolVersion(ClientNamenodeProtocolPB.class),
                address,
                user,
                conf,
                NetUtils.getDefaultSocketFactory(conf),
                30_000,
                null)
            .getProxy();
  }

  public ClientNamenodeProtocolPB proxy() {
    return proxy;
  }

  /** Answered on the network thread. */
  public String ask(String path) throws IOException {
    try {
      return proxy
          .getLinkTarget(null, GetLinkTargetRequestProto.newBuilder().setPath(path).build())
          .getTargetPath();
    } catch (ServiceException e) {
      throw (IOException) e.getCause();
    }
  }

  /** Answered by future: at once if the root is "/now". */
  public String askAsync(String root, String name) throws IOException {
    try {
      return proxy
          .createSnapshot(
              null,
              CreateSnapshotRequestProto.newBuilder()
                  .setSnapshotRoot(root)
                  .setSnapshotName(name)
                  .build())
          .getSnapshotPath();
    } catch (ServiceException e) {
      throw (IOException) e.getCause();
    }
  }

  /** Answered by a worker. */
  public String askWorker() throws IOException {
    try {
      return proxy
          .getECTopologyResultForPolicies(
              null, GetECTopologyResultForPoliciesRequestProto.getDefaultInstance())
          .getResponse()
          .getResultMessage();
    } catch (ServiceException e) {
      throw (IOException) e.getCause();
    }
  }

  @Override
  public void close() {
    RPC.stopProxy(proxy);
  }
}
