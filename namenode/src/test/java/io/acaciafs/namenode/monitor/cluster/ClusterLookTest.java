package io.acaciafs.namenode.monitor.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.engine.StoreCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What pages show of a cluster that answers, refuses, or says nothing. */
@Timeout(60)
class ClusterLookTest {
  private final ExecutorService threads = Executors.newFixedThreadPool(ClusterLook.READINGS);
  private final CountDownLatch end = new CountDownLatch(1);

  /** Of thirty servers. */
  private static class Fake implements StoreCluster {
    final AtomicInteger asked = new AtomicInteger();

    @Override
    public State state() {
      asked.incrementAndGet();
      return new State(
          "2.6.4",
          "m1:1",
          List.of("m2:1"),
          loads().stream().map(Load::name).toList(),
          List.of("gone:1"),
          465,
          464,
          List.of(new Transition("one", "OPENING")));
    }

    @Override
    public List<Load> loads() {
      List<Load> loads = new ArrayList<>();
      for (int i = 1; i <= 30; i++) {
        loads.add(new Load("r" + i + ":1", i, 100, 2, 5, 10));
      }
      return loads;
    }

    @Override
    public Optional<Coprocessor> coprocessor() {
      return Optional.of(
          new Coprocessor("1.2.0", Map.of("1.2.0", 400), List.of("one on r1:1"), 64));
    }
  }

  @AfterEach
  void stop() {
    end.countDown();
    threads.shutdownNow();
  }

  private static JsonNode json(@Nullable Object body) {
    return new ObjectMapper().valueToTree(body);
  }

  @Test
  void pagesShowSumsAndTheServersWithMostRegions() {
    Fake fake = new Fake();
    ClusterPage page = new ClusterPage(new ClusterLook(fake, threads));
    JsonNode summary = json(page.summary());
    assertThat(summary.get("master").asText()).isEqualTo("m1:1");
    assertThat(summary.at("/backupMasters/0").asText()).isEqualTo("m2:1");
    assertThat(summary.get("live").asInt()).isEqualTo(30);
    assertThat(summary.at("/dead/0").asText()).isEqualTo("gone:1");
    assertThat(summary.get("regions").asInt()).isEqualTo(465);
    assertThat(summary.get("online").asInt()).isEqualTo(464);
    assertThat(summary.at("/transitions/0").toString()).contains("one").contains("OPENING");
    assertThat(summary.get("requestsPerSecond").asLong()).isEqualTo(60);
    assertThat(summary.get("fileBytes").asLong()).isEqualTo(3_000);
    assertThat(summary.get("servers")).hasSize(20);
    assertThat(summary.at("/servers/0/name").asText()).isEqualTo("r30:1");
    assertThat(summary.at("/servers/0/regions").asInt()).isEqualTo(30);
    assertThat(summary.at("/coprocessor/missing").asInt()).isEqualTo(1);
    assertThat(summary.at("/coprocessor/unknown").asInt()).isEqualTo(64);
    assertThat(json(page.read().body()).get("servers")).hasSize(30);
    assertThat(fake.asked).as("for both pages, as it is fresh").hasValue(1);
  }

  @Test
  void nobodyWhoLooksIsNoQuestion() {
    Fake fake = new Fake();
    ClusterLook look = new ClusterLook(fake, threads);
    assertThat(fake.asked).hasValue(0);
    look.state();
    look.state();
    assertThat(fake.asked).hasValue(1);
  }

  @Test
  void aFailureIsShownAndNotRepeatedAtOnce() {
    Fake fake =
        new Fake() {
          @Override
          public State state() {
            asked.incrementAndGet();
            throw new UnavailableException("HBase could not tell of its servers: no master");
          }
        };
    ClusterLook look = new ClusterLook(fake, threads);
    assertThat(look.state().failure()).contains("no master");
    assertThat(json(new ClusterPage(look).summary()).get("problem").asText()).contains("no master");
    assertThat(fake.asked).hasValue(1);
  }

  @Test
  void aClusterThatSaysNothingHoldsNobodyUp() {
    Fake fake =
        new Fake() {
          @Override
          public State state() {
            asked.incrementAndGet();
            try {
              end.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return super.state();
          }
        };
    ClusterLook look = new ClusterLook(fake, threads);
    long beginNs = System.nanoTime();
    for (int i = 0; i < 3; i++) {
      assertThat(look.state().value()).isNull();
    }
    assertThat(json(new ClusterPage(look).summary()).get("problem").asText())
        .isEqualTo("The servers were not asked yet");
    assertThat(System.nanoTime() - beginNs).isLessThan(20_000_000_000L);
    assertThat(fake.asked).as("one question at a time").hasValue(1);
  }
}
