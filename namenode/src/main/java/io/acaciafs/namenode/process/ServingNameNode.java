package io.acaciafs.namenode.process;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolClientSideTranslatorPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;

/**
 * Asks the NameNode that serves for what Hadoop has no call for, by GenericRefreshProtocol: an
 * identifier and arguments. Stateless.
 */
public final class ServingNameNode {
  private ServingNameNode() {}

  /**
   * Asks each NameNode of the settings until one serves. Waits for as long as that one takes.
   *
   * @param otherwise why it cannot be done without a NameNode; for people
   * @return what the NameNode says
   * @throws IOException what it says against it, or that none answers
   */
  public static String ask(
      Configuration site, String otherwise, String identifier, String... arguments)
      throws IOException {
    Configuration conf = patient(site);
    IOException last = null;
    for (InetSocketAddress address : addresses(conf)) {
      try {
        return ask(conf, address, identifier, arguments);
      } catch (ConnectException e) {
        last = new IOException("No NameNode answers at " + address + ", and " + otherwise, e);
      } catch (RemoteException e) {
        IOException refusal = e.unwrapRemoteException();
        if (!standsBy(refusal)) {
          throw refusal;
        }
        last = new IOException("The NameNode at " + address + " stands by", refusal);
      }
    }
    throw last == null ? new IOException("No address of a NameNode is configured") : last;
  }

  private static Configuration patient(Configuration site) {
    Configuration conf = new Configuration(site);
    conf.setInt("ipc.client.rpc-timeout.ms", 0);
    conf.setInt("ipc.client.connect.max.retries", 0);
    RPC.setProtocolEngine(conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
    return conf;
  }

  /** Of an earlier version one that stands by has no such protocol. */
  static boolean standsBy(IOException refusal) {
    return refusal instanceof StandbyException || refusal instanceof RpcNoSuchProtocolException;
  }

  /**
   * Asks one NameNode. Waits for as long as it takes.
   *
   * @return what it says
   * @throws IOException what it says against it, or that it does not answer
   */
  static String askOne(
      Configuration site, InetSocketAddress address, String identifier, String... arguments)
      throws IOException {
    try {
      return ask(patient(site), address, identifier, arguments);
    } catch (RemoteException e) {
      throw e.unwrapRemoteException();
    }
  }

  private static List<InetSocketAddress> addresses(Configuration conf) throws IOException {
    List<InetSocketAddress> addresses = new ArrayList<>();
    DFSUtil.getNNServiceRpcAddressesForCluster(conf).values().stream()
        .map(Map::values)
        .forEach(addresses::addAll);
    return addresses;
  }

  private static String ask(
      Configuration conf, InetSocketAddress address, String identifier, String[] arguments)
      throws IOException {
    GenericRefreshProtocolPB proxy =
        RPC.getProxy(
            GenericRefreshProtocolPB.class,
            RPC.getProtocolVersion(GenericRefreshProtocolPB.class),
            address,
            conf);
    try (GenericRefreshProtocolClientSideTranslatorPB client =
        new GenericRefreshProtocolClientSideTranslatorPB(proxy)) {
      Collection<RefreshResponse> answers = client.refresh(identifier, arguments);
      return answers.iterator().next().getMessage();
    }
  }
}
