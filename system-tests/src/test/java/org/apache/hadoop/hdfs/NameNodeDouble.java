package org.apache.hadoop.hdfs;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.mockito.Mockito;

/**
 * Stands in for the objects of a NameNode in this process, as far as calls to the one in a process
 * of its own can tell; all else aborts the test.
 */
final class NameNodeDouble {
  private final InetSocketAddress rpc;
  private final InetSocketAddress http;
  private final Configuration conf;
  private final Supplier<? extends RuntimeException> refusal;
  private Set<InetSocketAddress> auxiliary = Set.of();

  /**
   * @param rpc where the NameNode answers calls
   * @param http where it serves its pages
   * @param conf of the test
   * @param refusal for what nobody outside can know
   */
  NameNodeDouble(
      InetSocketAddress rpc,
      InetSocketAddress http,
      Configuration conf,
      Supplier<? extends RuntimeException> refusal) {
    this.rpc = rpc;
    this.http = http;
    this.conf = conf;
    this.refusal = refusal;
  }

  /** The NameNode answers calls there too. */
  NameNodeDouble withAuxiliary(Set<InetSocketAddress> addresses) {
    auxiliary = addresses;
    return this;
  }

  NameNode nameNode() {
    return Mockito.mock(
        NameNode.class,
        asked ->
            switch (asked.getMethod().getName()) {
              case "getNameNodeAddress" -> rpc;
              case "getHostAndPort" -> byAddress(rpc).getAuthority();
              case "getHttpAddress" -> http;
              case "getHttpsAddress" ->
                  DFSUtilClient.getNNAddress(conf.get("dfs.namenode.https-address"));
              case "getNamesystem" -> namesystem();
              case "getRpcServer" -> rpcServer();
              case "toString" -> "NameNode in a process of its own";
              default -> throw refusal.get();
            });
  }

  private NameNodeRpcServer rpcServer() {
    if (auxiliary.isEmpty()) {
      throw refusal.get();
    }
    return Mockito.mock(
        NameNodeRpcServer.class,
        asked ->
            switch (asked.getMethod().getName()) {
              case "getRpcAddress" -> rpc;
              case "getAuxiliaryRpcAddresses" -> auxiliary;
              case "toString" -> "NameNodeRpcServer in a process of its own";
              default -> throw refusal.get();
            });
  }

  private BlockManager blockManager() {
    return Mockito.mock(
        BlockManager.class,
        asked ->
            switch (asked.getMethod().getName()) {
              case "getBlockTokenSecretManager" -> blockTokens();
              case "toString" -> "BlockManager in a process of its own";
              default -> throw refusal.get();
            });
  }

  /** Of which tests shorten the life, where the site does not say that it is short. */
  private BlockTokenSecretManager blockTokens() {
    boolean isShort = conf.getLong("dfs.block.access.token.lifetime", 0) == 1;
    return Mockito.mock(
        BlockTokenSecretManager.class,
        asked -> {
          if (isShort && asked.getMethod().getName().equals("setTokenLifetime")) {
            return null;
          }
          throw refusal.get();
        });
  }

  FSNamesystem namesystem() {
    return Mockito.mock(
        FSNamesystem.class,
        asked ->
            switch (asked.getMethod().getName()) {
              case "getDelegationTokenSecretManager" -> new RemoteTokens(byAddress(rpc), conf);
              case "getBlockManager" -> blockManager();
              case "toString" -> "FSNamesystem in a process of its own";
              default -> throw refusal.get();
            });
  }

  /** Not by a name, by which no token would be found. */
  private static URI byAddress(InetSocketAddress rpc) {
    return URI.create("hdfs://" + rpc.getAddress().getHostAddress() + ":" + rpc.getPort());
  }
}
