package io.acaciafs.systemtests.harness;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * A program that writes the keys of block tokens into a file, in hex, each on a line, by the ticket
 * of a NameNode. Its arguments are the port on localhost and the file.
 */
public final class BlockKeyReader {
  private BlockKeyReader() {}

  /** Asks as the balancer does. */
  public static void main(String[] arguments) throws Exception {
    Configuration conf = new HdfsConfiguration();
    UserGroupInformation.setConfiguration(conf);
    NamenodeProtocol nameNode =
        NameNodeProxies.createNonHAProxy(
                conf,
                new InetSocketAddress("localhost", Integer.parseInt(arguments[0])),
                NamenodeProtocol.class,
                UserGroupInformation.getLoginUser(),
                false)
            .getProxy();
    try {
      List<String> keys =
          Arrays.stream(nameNode.getBlockKeys().getAllKeys())
              .map(key -> HexFormat.of().formatHex(key.getEncodedKey()))
              .toList();
      Files.write(Path.of(arguments[1]), keys);
    } finally {
      RPC.stopProxy(nameNode);
    }
  }
}
