package io.acaciafs.systemtests.harness;

import io.acaciafs.namenode.members.MemberProtocol;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.security.KerberosInfo;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * A program that speaks to a NameNode as another NameNode would, by the ticket of any user, and
 * prints what it is told. Its argument is the port on localhost.
 */
public final class MemberImpostor {
  private MemberImpostor() {}

  /** The same protocol, whose client has no principal of its own to check. */
  @KerberosInfo(serverPrincipal = "dfs.namenode.kerberos.principal")
  @ProtocolInfo(protocolName = MemberProtocol.NAME, protocolVersion = MemberProtocol.VERSION)
  private interface Messages extends GenericRefreshProtocolService.BlockingInterface {}

  /** Says hello. */
  public static void main(String[] arguments) throws Exception {
    Configuration conf = new HdfsConfiguration();
    UserGroupInformation.setConfiguration(conf);
    RPC.setProtocolEngine(conf, Messages.class, ProtobufRpcEngine2.class);
    Messages nameNode =
        RPC.getProxy(
            Messages.class,
            MemberProtocol.VERSION,
            new InetSocketAddress("localhost", Integer.parseInt(arguments[0])),
            conf);
    try {
      nameNode.refresh(
          null,
          GenericRefreshRequestProto.newBuilder()
              .setIdentifier("HELLO")
              .addArgs("1")
              .addArgs("")
              .addArgs("1")
              .build());
      System.out.println("let in");
    } catch (ServiceException e) {
      System.out.println("refused: " + e.getCause());
    } finally {
      RPC.stopProxy(nameNode);
    }
  }
}
