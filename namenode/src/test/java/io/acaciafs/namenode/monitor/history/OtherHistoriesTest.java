package io.acaciafs.namenode.monitor.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.namenode.monitor.SettableClock;
import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.options.RpcServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** NameNodes tell each other their histories. */
@Timeout(60)
class OtherHistoriesTest {
  private final History history = new History(new SettableClock());
  private final AtomicInteger asked = new AtomicInteger();
  private final ExecutorService executor = Executors.newFixedThreadPool(4);
  private final Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
  private volatile boolean isRefused;
  private RpcServer server;
  private OtherHistories others;

  @BeforeEach
  void start() throws Exception {
    float[] sample = new float[Series.values().length];
    Arrays.fill(sample, 12);
    history.add(sample);
    HistoryCalls calls =
        new HistoryCalls(
            history,
            call -> {
              asked.incrementAndGet();
              if (isRefused) {
                throw new AccessControlException("Not for " + call.user().getShortUserName());
              }
            });
    Configuration conf = new Configuration();
    server = RpcServer.start(RpcServerOptions.builder().build(), List.of(calls.protocol()));
    addresses.put("nn2", server.address());
    others =
        new OtherHistories(
            new Neighbours() {
              @Override
              public Map<String, InetSocketAddress> addresses() {
                return addresses;
              }

              @Override
              public UserGroupInformation user() throws IOException {
                return UserGroupInformation.getLoginUser();
              }
            },
            new HistoryClient(conf, UnaryOperator.identity()),
            executor);
  }

  @AfterEach
  void stop() {
    server.close();
    executor.shutdownNow();
  }

  private JsonNode await(String name, String field) {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    JsonNode answer;
    do {
      assertThat(System.nanoTime()).isLessThan(deadlineNs);
      answer = null;
      for (JsonNode each : new ObjectMapper().<JsonNode>valueToTree(others.read(Window.HOUR))) {
        answer = each.get("name").asText().equals(name) ? each : answer;
      }
    } while (answer == null || !answer.has(field));
    return answer;
  }

  @Test
  void oneAsksOnceForManyViewers() {
    JsonNode numbers = await("nn2", "history").at("/history/series/repair");
    assertThat(numbers.size()).isEqualTo(360);
    assertThat(numbers.get(359).asInt()).isEqualTo(12);
    for (int i = 0; i < 100; i++) {
      others.read(Window.HOUR);
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void oneThatDoesNotRunIsToldAndKeepsNothingFromTheOthers() throws Exception {
    try (ServerSocket nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      addresses.put("nn3", (InetSocketAddress) nobody.getLocalSocketAddress()); // never answers
      assertThat(await("nn2", "history").has("problem")).isFalse();
      assertThat(await("nn3", "problem").get("problem").asText()).isNotEmpty();
    }
  }

  @Test
  void aRefusalIsTold() {
    isRefused = true;
    assertThat(others.read(Window.HOUR)).hasSize(1);
    assertThat(await("nn2", "problem").get("problem").asText()).contains("Not for");
  }
}
