package io.acaciafs.kv.hbase.region;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.client.Connections;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.client.RequestSender;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import java.io.DataInputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A region server whose connections break, under requests of which each is followed by another. */
class BrokenConnectionTest {
  private static final int REQUESTS = 8;
  private static final int CONNECT_TIMEOUT_MS = 500;

  /** Of a request; who is told of a broken connection does not wait for it. */
  private static final int RPC_TIMEOUT_MS = 60_000;

  private static final int LIMIT_S = 20;
  private static final int PREAMBLE_BYTES = 6;
  private static final int MOST_CONNECTIONS = 100;

  @Test
  void requestsToAnUnreachableServerFail() throws Exception {
    List<Socket> others = new ArrayList<>();
    try (ServerSocket full = listen(1);
        ClusterClient client = client()) {
      fill(full.getLocalPort(), others);
      assertThat(outcomes(client, full.getLocalPort())).hasSize(REQUESTS);
    } finally {
      for (Socket other : others) {
        other.close();
      }
    }
  }

  @Test
  void requestsOnAResetConnectionFail() throws Exception {
    CompletableFuture<Void> resets;
    try (ServerSocket server = listen(REQUESTS);
        ClusterClient client = client()) {
      resets = CompletableFuture.runAsync(() -> resetAll(server));
      assertThat(outcomes(client, server.getLocalPort())).hasSize(REQUESTS);
    }
    resets.get(LIMIT_S, TimeUnit.SECONDS);
  }

  private static ServerSocket listen(int backlog) throws IOException {
    return new ServerSocket(0, backlog, InetAddress.getLoopbackAddress());
  }

  /** Until nobody else is let in. */
  private static void fill(int port, List<Socket> others) throws IOException {
    while (others.size() < MOST_CONNECTIONS) {
      try {
        Socket other = new Socket();
        others.add(other);
        other.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_TIMEOUT_MS);
      } catch (SocketTimeoutException e) {
        return;
      }
    }
    throw new IOException("Everybody is let in");
  }

  /** Takes the first requests and answers none, and breaks every connection. */
  private static void resetAll(ServerSocket server) {
    int wanted = REQUESTS;
    while (true) {
      try (Socket client = server.accept()) {
        client.setSoLinger(true, 0);
        DataInputStream in = new DataInputStream(client.getInputStream());
        in.readFully(new byte[PREAMBLE_BYTES]);
        for (int frames = 1 + wanted; frames > 0; frames--) {
          in.readFully(new byte[in.readInt()]);
        }
        wanted = 0;
      } catch (IOException e) {
        if (server.isClosed()) {
          return;
        }
      }
    }
  }

  private static List<Outcome> outcomes(ClusterClient client, int port) throws Exception {
    HRegionLocation region =
        new HRegionLocation(
            RegionInfoBuilder.newBuilder(TableName.valueOf("broken")).build(),
            ServerName.valueOf("127.0.0.1", port, 1));
    RequestSender sender = new UnfencedSender(client, new RegionLocator(client));
    List<CompletableFuture<Outcome>> sent = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      RegionRequest request = new RegionRequest(new Random(i));
      request.touch(Bytes.toBytes(i));
      sent.add(sender.send(region, request).thenCompose(outcome -> sender.send(region, request)));
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (CompletableFuture<Outcome> outcome : sent) {
      outcomes.add(outcome.get(LIMIT_S, TimeUnit.SECONDS));
    }
    return outcomes;
  }

  private static ClusterClient client() throws IOException {
    HBaseOptions options =
        HBaseOptions.of("127.0.0.1:1").withTimeouts(RPC_TIMEOUT_MS, RPC_TIMEOUT_MS, 1, 1);
    Configuration conf = Connections.configuration(options);
    conf.setInt("hbase.ipc.client.socket.timeout.connect", CONNECT_TIMEOUT_MS);
    return new ClusterClient(
        options,
        (AsyncConnection)
            Proxy.newProxyInstance(
                AsyncConnection.class.getClassLoader(),
                new Class<?>[] {AsyncConnection.class},
                (proxy, method, arguments) ->
                    method.getName().equals("getConfiguration") ? conf : null));
  }
}
