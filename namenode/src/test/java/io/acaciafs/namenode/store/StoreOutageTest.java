package io.acaciafs.namenode.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namenode.RunningNameNode;
import java.io.File;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The first page is there while the store is not. */
@Timeout(180)
class StoreOutageTest {
  @TempDir private File folder;
  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void endOutage() {
    MemoryProvider.beforeReads(() -> {});
    end.countDown();
  }

  private RunningNameNode start() throws Exception {
    RunningNameNode nameNode = new RunningNameNode(folder, Map.of("acacia.store.engine", "memory"));
    assertThat(nameNode.send("GET", "/isActive").statusCode()).isEqualTo(200); // pages are there
    return nameNode;
  }

  private static JsonNode overview(RunningNameNode nameNode) throws Exception {
    HttpResponse<String> answer = nameNode.send("GET", "/api/overview");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new ObjectMapper().readTree(answer.body());
  }

  private void awaitEnd() {
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new StoreException("Interrupted", e);
    }
  }

  private static boolean tells(JsonNode overview, String kind) {
    return overview.get("problems").get("problems").findValuesAsText("kind").contains(kind);
  }

  @Test
  void overviewDoesNotWaitForASilentStore() throws Exception {
    try (RunningNameNode nameNode = start()) {
      MemoryProvider.beforeReads(this::awaitEnd);
      JsonNode now = overview(nameNode);
      while (!tells(now, "store-silent")) { // for the first five seconds it may be a pause
        now = overview(nameNode);
      }
      while (now.get("health").get("storeReadable").asBoolean()) {
        now = overview(nameNode);
      }
      assertThat(now.get("health").get("status").asText()).isEqualTo("failed");
      endOutage();
    }
  }

  @Test
  void overviewTellsTheProblemWhereFiguresCannotBeRead() throws Exception {
    try (RunningNameNode nameNode = start()) {
      MemoryProvider.beforeReads(
          () -> {
            throw new StoreException("No region server");
          });
      JsonNode now = overview(nameNode);
      while (!tells(now, "store-silent")) {
        now = overview(nameNode);
      }
      assertThat(now.get("files").isNull()).isTrue();
      assertThat(now.get("openFiles").isNull()).isTrue();
      assertThat(now.get("blocks").get("total").isNull()).isTrue();
      assertThat(now.get("capacity").get("total").asLong()).isZero();
      endOutage();
    }
  }
}
