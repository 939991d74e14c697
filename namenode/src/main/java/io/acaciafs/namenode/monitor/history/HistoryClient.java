package io.acaciafs.namenode.monitor.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/** Asks another NameNode for its history, by Hadoop RPC. Safe for use by many threads. */
public final class HistoryClient {
  /** For one question, the connection included; nothing is tried again. */
  private static final int TIMEOUT_MS = 2_000;

  private final Configuration conf;
  private final UnaryOperator<Configuration> believing;
  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * @param believing makes the settings of one connection, which say what server is believed
   */
  public HistoryClient(Configuration site, UnaryOperator<Configuration> believing) {
    this.believing = believing;
    conf = new Configuration(site);
    conf.setInt("ipc.client.connect.max.retries", 0);
    conf.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
    conf.setInt("ipc.client.connect.max.retries.on.sasl", 0);
    conf.setInt("ipc.client.connect.timeout", TIMEOUT_MS);
    conf.setInt("ipc.client.rpc-timeout.ms", TIMEOUT_MS);
    RPC.setProtocolEngine(conf, HistoryProtocol.class, ProtobufRpcEngine2.class);
  }

  /**
   * Waits for the answer.
   *
   * @throws IOException when there is none, or no sense in it
   */
  JsonNode ask(InetSocketAddress address, UserGroupInformation user, Window window)
      throws IOException {
    Configuration own = believing.apply(conf);
    HistoryProtocol proxy =
        RPC.getProxy(
            HistoryProtocol.class,
            HistoryProtocol.VERSION,
            address,
            user,
            own,
            NetUtils.getDefaultSocketFactory(own),
            TIMEOUT_MS);
    try {
      GenericRefreshRequestProto request =
          GenericRefreshRequestProto.newBuilder().setIdentifier(window.key()).build();
      return mapper.readTree(proxy.refresh(null, request).getResponses(0).getUserMessage());
    } catch (ServiceException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
    } catch (IndexOutOfBoundsException e) {
      throw new IOException("The answer is empty", e);
    } finally {
      RPC.stopProxy(proxy);
    }
  }
}
